/** Random requests: the examples of the endpoints, two of three of them changed. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc, { type Arbitrary } from 'fast-check';
import { readFileSync } from 'node:fs';
import { anyCharacter } from '../../support/anyCharacter.ts';
import { deployedEndpoint, deployedEndpoints } from '../../support/deployMap.ts';
import { exampleParts, targetOf, type RequestParts } from '../../support/exampleRequests.ts';

/** A valid or invalid request. */
export interface FuzzRequest {
  readonly functionId: string;
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
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

type PartsChange = (parts: RequestParts) => RequestParts;
type TextChange = (request: FuzzRequest) => FuzzRequest;

/** Changes of one value at any depth. */
const partsChange: Arbitrary<PartsChange> = fc
  .record({
    part: fc.constantFrom('body', 'query', 'params'),
    pick: fc.nat(),
    value,
    foreignName,
    kind: fc.constantFrom('replace', 'replace', 'remove', 'add', 'repeat'),
  })
  .map(({ part, pick, kind, ...given }) => (parts) => {
    const place = parts.body ? 'body' : part === 'params' ? 'params' : 'query';
    const whole = parts[place] ?? {};
    const names = Object.keys(whole);
    const name = names[pick % Math.max(1, names.length)] ?? given.foreignName;
    const { [name]: old, ...others } = whole;
    const changed = {
      replace: () => ({ ...whole, [name]: within(old, pick, given.value) }),
      remove: () => others,
      // Unlike `{ ...whole, [name]: value }`, this also adds `__proto__`.
      add: () => Object.fromEntries([...Object.entries(whole), [given.foreignName, given.value]]),
      repeat: () => ({ ...whole, [name]: [old, old].flat() }),
    };
    return { ...parts, [place]: changed[kind]() };
  });

/** The value with another one in its place, or in place of a value inside it. */
function within(whole: unknown, pick: number, other: unknown): unknown {
  if (typeof whole !== 'object' || whole === null || pick % 3 === 0) return other;
  const names = Object.keys(whole);
  const at = names[pick % Math.max(1, names.length)];
  if (Array.isArray(whole)) {
    return whole.map((one: unknown, index) =>
      String(index) === at ? within(one, pick >> 2, other) : one,
    );
  }
  return { ...whole, [at ?? 'a']: other };
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

const ajv = new Ajv2020({ strict: false, formats: { int64: true } });
ajv.addSchema(JSON.parse(readFileSync('public/openapi.json', 'utf8')) as object, 'openapi');

interface Documented {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: object;
}

/** Whether the parts of a request match public/openapi.json. */
function isDocumented(functionId: string, parts: RequestParts): boolean {
  const { method, path } = deployedEndpoint(functionId).endpoint.declaration;
  // A schema cannot tell unpaired surrogates.
  if (/\\ud[89a-f]/.test(JSON.stringify(parts))) return false;
  const at = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const matches = (pointer: string, sent: unknown) =>
    ajv.validate({ $ref: `openapi#${encodeURI(at + pointer)}` }, sent);
  const { parameters = [], requestBody } = ajv.getSchema(`openapi#${encodeURI(at)}`)
    ?.schema as Documented;
  // A body may take the place of the query.
  if (requestBody) return matches('/requestBody/content/application~1json/schema', parts.body);
  return parameters.every(({ name, required }, index) => {
    const sent = parts.params[name] ?? parts.query[name];
    if (sent === undefined) return required !== true;
    const isNumber = typeof sent === 'string' && /^\d+$/.test(sent) && name === 'limit';
    return matches(`/parameters/${index}/schema`, isNumber ? Number(sent) : sent);
  });
}

/** Requests to all endpoints: a third as in the examples, the others with one to three changes. */
export const fuzzRequests: Arbitrary<FuzzRequest> = fc
  .record({
    functionId: fc.constantFrom(...deployedEndpoints.map((each) => each.functionId)),
    caller: fc.constantFrom('alice', 'alice', 'alice', 'alice', 'bob', 'carol', 'nobody'),
    partsChanges: fc.array(partsChange, { maxLength: 3 }),
    textChanges: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.tuple(textChange)),
  })
  .map(({ functionId, caller, partsChanges, textChanges }): FuzzRequest => {
    const example = exampleParts(functionId, ALICE);
    const parts = partsChanges.reduce((changed, change) => change(changed), example);
    const request: FuzzRequest = {
      functionId,
      caller,
      method: deployedEndpoint(functionId).endpoint.declaration.method,
      path: targetOf(functionId, parts),
      headers: parts.body ? { 'Content-Type': 'application/json' } : {},
      ...(parts.body && { body: JSON.stringify(parts.body) }),
      isValid: textChanges.length === 0 && isDocumented(functionId, parts),
    };
    return textChanges.reduce((changed: FuzzRequest, change) => change(changed), request);
  });
