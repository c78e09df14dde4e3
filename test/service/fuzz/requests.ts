import fc, { type Arbitrary } from 'fast-check';
import { readFileSync } from 'node:fs';
import { anyCharacter } from '../../support/anyCharacter.ts';
import { arbitraryOf, type JsonSchema, type SchemaContext } from './schemaArbitrary.ts';

/** A valid or almost valid request. */
export interface FuzzRequest {
  /** The id of the operation. */
  readonly operation: string;
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the request is valid according to the document. */
  readonly isValid: boolean;
  readonly caller: Caller;
}

/** The caller of a request: the owner of all documents, another artist, a client, or nobody. */
export type Caller = 'alice' | 'bob' | 'carol' | 'nobody';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const document = JSON.parse(readFileSync('public/openapi.json', 'utf8')) as OpenApi;

/** The names of all operations of the document. */
export const OPERATIONS: readonly string[] = Object.values(document.paths).flatMap((operations) =>
  Object.values(operations).map(({ operationId }) => operationId),
);

/** A request before serialization. */
interface Draft {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Requests for every operation of the document: half of them valid, the others with one to three changes. */
export function fuzzRequests(known: SchemaContext['known']): Arbitrary<FuzzRequest> {
  const context = { schemas: document.components.schemas, known };
  return fc.oneof(
    ...Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) =>
        requestsOf(path, method.toUpperCase(), operation, context),
      ),
    ),
  );
}

function requestsOf(
  template: string,
  method: string,
  operation: Operation,
  context: SchemaContext,
): Arbitrary<FuzzRequest> {
  const parameters = (place: string) =>
    (operation.parameters ?? []).filter((one) => one.in === place);
  const valuesOf = (place: string) =>
    fc.record(
      Object.fromEntries(
        parameters(place).map(({ name, schema }) => [name, arbitraryOf(schema, context, name)]),
      ),
      {
        requiredKeys: parameters(place)
          .filter(({ required }) => required)
          .map(({ name }) => name),
      },
    );
  const schema = operation.requestBody?.content['application/json'].schema;
  const draft: Arbitrary<Draft> = fc.record({
    path: valuesOf('path'),
    // The query could repeat fields of the body, but need not.
    query: schema ? fc.constant({}) : (valuesOf('query') as Arbitrary<Record<string, unknown>>),
    body: schema
      ? (arbitraryOf(schema, context) as Arbitrary<Record<string, unknown>>).map(withServiceRules)
      : fc.constant(undefined),
  });
  const whole = (isValid: boolean, drafts: Arbitrary<Draft>, texts: Arbitrary<TextChange>) =>
    fc
      .record({
        draft: drafts,
        change: texts,
        caller: fc.oneof(
          { weight: 5, arbitrary: fc.constant<Caller>('alice') },
          { weight: 2, arbitrary: fc.constantFrom<Caller>('bob', 'carol', 'nobody') },
        ),
      })
      .map((made): FuzzRequest => {
        const request: FuzzRequest = {
          operation: operation.operationId,
          method,
          path: pathOf(template, made.draft),
          headers: made.draft.body ? { 'Content-Type': 'application/json' } : {},
          ...(made.draft.body && { body: JSON.stringify(made.draft.body) }),
          isValid,
          caller: made.caller,
        };
        return made.change(request);
      });
  const changed = fc
    .tuple(draft, fc.array(draftChange, { minLength: 1, maxLength: 3 }))
    .map(([one, changes]) => changes.reduce((rest, change) => change(rest), one));
  return fc.oneof(
    {
      weight: 3,
      arbitrary: whole(
        true,
        draft,
        fc.constant((request) => request),
      ),
    },
    {
      weight: 2,
      arbitrary: whole(
        false,
        changed,
        fc.constant((request) => request),
      ),
    },
    { weight: 1, arbitrary: whole(false, draft, textChange) },
  );
}

/**
 * Applies the rules of the service that JSON Schema cannot express: the end is after the start, a date range type has
 * its fields, and no listing is repeated.
 */
function withServiceRules(body: Record<string, unknown>): Record<string, unknown> {
  const rest = { ...body };
  const after = (start: unknown, end: unknown) => {
    const [from, to] = [Number(start), Number(end)].sort((a, b) => a - b) as [number, number];
    return from === to ? [from - 1, to] : [from, to];
  };
  if ('endTime' in rest) [rest.startTime, rest.endTime] = after(rest.startTime, rest.endTime);
  if ('dateRangeType' in rest) {
    if (rest.dateRangeType === 'specific') rest.effectiveUntil ??= 8e15;
    if (rest.dateRangeType === 'rolling') rest.rollingDays ??= 30;
    if (rest.effectiveUntil !== undefined) {
      [rest.effectiveFrom, rest.effectiveUntil] = after(rest.effectiveFrom, rest.effectiveUntil);
    }
  }
  if (Array.isArray(rest.flashUpdates)) {
    const updates = rest.flashUpdates as readonly { id: string }[];
    rest.flashUpdates = updates.filter(
      ({ id }, index) => updates.findIndex((one) => one.id === id) === index,
    );
  }
  return rest;
}

function pathOf(template: string, { path, query }: Draft): string {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  ).toString();
  const filled = template.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(textOf(path[name]).toWellFormed()),
  );
  return `${filled}${parameters === '' ? '' : `?${parameters}`}`;
}

/** A value encoded for a path. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

type DraftChange = (draft: Draft) => Draft;
type TextChange = (request: FuzzRequest) => FuzzRequest;

const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e300,
    '',
    '.',
    '..',
    'a/b',
    '__x__',
    '\0',
    '\ud800',
    'x'.repeat(1501),
    [],
    {},
    [[]],
    { a: { __proto__: null } },
  ),
  fc.jsonValue(),
  fc.string({ unit: anyCharacter }),
);

/** Changes of one value at any depth. */
const draftChange: Arbitrary<DraftChange> = fc
  .record({
    pick: fc.nat(),
    value: oddValue,
    kind: fc.constantFrom('replace', 'remove', 'add', 'double'),
  })
  .map(({ pick, value, kind }) => (draft) => {
    const place = draft.body
      ? 'body'
      : Object.keys(draft.query).length > 0 && pick % 2 === 0
        ? 'query'
        : 'path';
    const holder = { ...(draft[place] ?? {}) } as Record<string, unknown>;
    const names = Object.keys(holder);
    const name = names[pick % Math.max(1, names.length)] ?? 'extra';
    if (kind === 'remove') Reflect.deleteProperty(holder, name);
    else if (kind === 'add')
      holder[['extra', '__proto__x', 'artistId', 'constructor'][pick % 4] ?? 'extra'] = value;
    else if (kind === 'double' && place !== 'path')
      holder[name] = [holder[name], holder[name]].flat();
    else holder[name] = within(holder[name], pick, value);
    return { ...draft, [place]: holder };
  });

/** The value with another one in its place, or in place of a value inside it. */
function within(value: unknown, pick: number, other: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && pick % 3 > 0) {
    const at = pick % value.length;
    return value.map((element: unknown, index) =>
      index === at ? within(element, pick >> 2, other) : element,
    );
  }
  if (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length > 0 &&
    pick % 3 > 0
  ) {
    const name = Object.keys(value)[pick % Object.keys(value).length] ?? '';
    return { ...value, [name]: other };
  }
  return other;
}

/** Changes of the serialized request. */
const textChange: Arbitrary<TextChange> = fc.oneof(
  fc
    .constantFrom('text/plain', '', 'application/json; charset=latin1', 'multipart/form-data')
    .map((type): TextChange => (request) => ({
      ...request,
      headers: { ...request.headers, 'Content-Type': type },
    })),
  fc.constantFrom('gzip', 'br', 'identity', 'x').map((encoding): TextChange => (request) => ({
    ...request,
    headers: { ...request.headers, 'Content-Encoding': encoding },
  })),
  fc.nat({ max: 200 }).map((at): TextChange => (request) => ({
    ...request,
    ...(request.body !== undefined && {
      body: request.body.slice(0, at % (request.body.length + 1)),
    }),
  })),
  fc.string().map((body): TextChange => (request) => ({ ...request, body })),
  fc
    .constantFrom(
      '%',
      '%zz',
      '%00',
      '%2f',
      '%ff',
      '/',
      '//',
      ';',
      '?',
      '?a=%',
      '?limit=1&limit=2',
      '?__proto__=1',
    )
    .map((end): TextChange => (request) => ({ ...request, path: `${request.path}${end}` })),
  fc
    .constantFrom('PATCH', 'TRACE', 'PROPFIND', 'OPTIONS', 'HEAD')
    .map((method): TextChange => (request) => ({ ...request, method })),
  fc
    .constantFrom('Bearer x', 'Bearer a.b.c', 'Basic YTpi', 'Bearer')
    .map((authorization): TextChange => (request) => ({
      ...request,
      headers: { ...request.headers, Authorization: authorization },
    })),
);
