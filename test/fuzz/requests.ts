/** Random requests: the examples of the endpoints, two of three of them changed. */
import fc, { type Arbitrary } from 'fast-check';
import { anyCharacter } from '../support/anyCharacter.ts';
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';
import { allowsRequest } from '../../dev/shared/documented.ts';
import { exampleParts, requestOf, type ExampleRequest } from '../../dev/shared/exampleRequests.ts';

/** A valid or invalid request. */
export interface FuzzRequest extends ExampleRequest {
  readonly functionId: string;
  /** Whether the request is valid according to public/openapi.json. */
  readonly isValid: boolean;
  readonly caller: 'alice' | 'bob' | 'carol' | 'nobody';
}

/** The owner of the documents in the examples. */
export const ALICE = { uid: 'alice', prefix: 'alices' } as const;
/** Another artist, with documents too. */
export const BOB = { uid: 'bob', prefix: 'bobs' } as const;

/** Values in place of any other: ids, valid values of some fields, and those that are valid nowhere. */
const value = fc.oneof(
  fc.constantFrom<unknown>('alices-0', 'alices-1', 'alices-2', 'alice', 'bobs-0', 'bob'),
  fc.constantFrom<unknown>(0, 1, 2, 30, '30', true, false, [], {}, 'specific', 'rolling', 'Sunday'),
  fc.constantFrom<unknown>(null, -1, 1.5, 2 ** 53, 1e300, '', '.', '..', 'a/b', '__x__', '\0'),
  fc.constantFrom<unknown>('\ud800', 'x'.repeat(1501), [[]], { a: { __proto__: null } }),
  fc.jsonValue(),
  fc.string({ unit: anyCharacter }),
);

/** Names that no endpoint takes from a request, and such that lead to a prototype. */
const foreignName = fc.constantFrom(
  ...['artistId', 'ownerId', 'uid', 'userId', 'clientId', 'participantIds', 'isVerified'],
  ...['createdAt', 'isVisible', 'newNotificationsCount', 'sessions', 'viewCount', 'limit'],
  ...['cursor', '__proto__', 'constructor', 'prototype', 'extra'],
);

type Parts = ReturnType<typeof exampleParts>;
type TextChange = (request: FuzzRequest) => FuzzRequest;

/** Changes of one value at any depth. */
const partsChange = fc
  .record({
    parameters: fc.constantFrom('query', 'params'),
    at: fc.nat(),
    value,
    foreignName,
    kind: fc.constantFrom('replace', 'replace', 'remove', 'add', 'repeat'),
  })
  .map(({ parameters, at, kind, ...given }) => (parts: Parts): Parts => {
    const place = parts.body ? 'body' : parameters;
    const whole = parts[place] ?? {};
    const changed = {
      replace: () => withChange(whole, at, () => given.value),
      remove: () => withChange(whole, at, () => undefined),
      repeat: () => withChange(whole, at, (old) => [old, old].flat()),
      // Unlike `{ ...whole, [name]: value }`, this also adds `__proto__`.
      add: () => Object.fromEntries([...Object.entries(whole), [given.foreignName, given.value]]),
    };
    return { ...parts, [place]: changed[kind]() };
  });

/** A copy with one of the values inside changed, at any level. */
function withChange(whole: object, at: number, change: (old: unknown) => unknown): unknown {
  const text = JSON.stringify(whole);
  const values: unknown[] = [];
  JSON.parse(text, (_name, value) => values.push(value));
  // The last one is the whole.
  let left = at % Math.max(1, values.length - 1);
  return JSON.parse(text, (_name, value: unknown) =>
    left-- === 0 && values.length > 1 ? change(value) : value,
  );
}

/** Headers that decide nothing: they override no method, name no caller, and are in no response. */
export const otherHeader = fc.constantFrom<readonly [name: string, value: string]>(
  ...['X-HTTP-Method-Override', 'X-Method-Override'].map((name) => [name, 'GET'] as const),
  ...['X-User-Id', 'X-Forwarded-User', 'X-Firebase-Uid', 'X-Goog-Authenticated-User-Id'].map(
    (name) => [name, 'alice'] as const,
  ),
  ['X-Cloud-Trace-Context', 'x'.repeat(5000)],
  ['traceparent', '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-ff'],
  ['X-Forwarded-For', '1.1.1.1, '.repeat(500)],
  ['X-Forwarded-Host', 'evil.example.com'],
  ['X-Original-URL', '/admin'],
  ['X-Firebase-AppCheck', '../../etc/passwd'],
  ['Accept', 'application/xml'],
  ['Accept-Encoding', '*;q=0'],
  ['Range', 'bytes=0-1'],
);

function withHeader(name: string): (value: string) => TextChange {
  return (text) => (request) => ({ ...request, headers: { ...request.headers, [name]: text } });
}

/** Ends of a path that change it, and such that would end a header. */
const ENDS = ['%', '%zz', '%00', '%2f', '%ff', '/', '//', ';', '?', '?a=%', '?limit=1&limit=2'];
const SPLITS = ['%0d%0aSet-Cookie:%20a=b', '?cursor=x%0d%0aSet-Cookie:%20a=b', '?__proto__[x]=1'];

/** Changes of the request as it is sent. */
const textChange: Arbitrary<TextChange> = fc.oneof(
  fc
    .constantFrom('text/plain', '', 'application/json; charset=latin1', 'multipart/form-data')
    .map(withHeader('Content-Type')),
  fc.constantFrom('gzip', 'br', 'identity', 'x').map(withHeader('Content-Encoding')),
  fc
    .constantFrom('Bearer x', 'Bearer a.b.c', 'Basic YTpi', 'Bearer')
    .map(withHeader('Authorization')),
  otherHeader.map(([name, text]) => withHeader(name)(text)),
  fc.nat({ max: 200 }).map((length): TextChange => ({ body, ...request }) => ({
    ...request,
    ...(body !== undefined && { body: body.slice(0, length % (body.length + 1)) }),
  })),
  fc.string().map((body): TextChange => (request) => ({ ...request, body })),
  fc
    .constantFrom(...ENDS, ...SPLITS)
    .map((end): TextChange => (request) => ({ ...request, path: `${request.path}${end}` })),
  fc
    .constantFrom('PATCH', 'TRACE', 'PROPFIND', 'OPTIONS', 'HEAD')
    .map((method): TextChange => (request) => ({ ...request, method })),
);

/** Requests to all endpoints: a third as in the examples, the others with one to three changes. */
export const fuzzRequests: Arbitrary<FuzzRequest> = fc
  .record({
    deployed: fc.constantFrom(...deployedEndpoints),
    caller: fc.constantFrom('alice', 'alice', 'alice', 'alice', 'bob', 'carol', 'nobody'),
    partsChanges: fc.array(partsChange, { maxLength: 3 }),
    textChanges: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.tuple(textChange)),
  })
  .map(({ deployed, caller, partsChanges, textChanges }): FuzzRequest => {
    const { functionId, endpoint } = deployed;
    const { method, path } = endpoint.declaration;
    const example = exampleParts(functionId, ALICE);
    const parts = partsChanges.reduce((changed, change) => change(changed), example);
    const isValid = textChanges.length === 0 && allowsRequest(method, path, parts);
    const request = { ...requestOf(functionId, parts), functionId, caller, isValid };
    return textChanges.reduce((changed: FuzzRequest, change) => change(changed), request);
  });
