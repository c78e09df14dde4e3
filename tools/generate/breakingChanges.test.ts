import { findBreakingChanges } from './breakingChanges.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const BODY = {
  type: 'object',
  properties: {
    id: { ...text, maxLength: 20 },
    order: number,
    ids: { type: 'array', maxItems: 9 },
  },
  required: ['id'],
};
const ITEM = {
  type: 'object',
  properties: { id: text, role: { ...text, enum: ['artist', 'client'] } },
  required: ['id'],
};
const LIMIT = { type: 'integer', maximum: 50, default: 20 };

/** The parts of an operation that a case replaces. */
interface Parts {
  method?: string;
  operationId?: string;
  security?: object[];
  parameter?: object;
  limit?: object;
  body?: object;
  item?: object;
  error?: number;
}

/** A change of an operation. */
interface Case {
  name: string;
  after: Parts;
  /** The change that is reported, without the path of the operation. */
  change: string;
}

const HARMLESS_CASES: Omit<Case, 'change'>[] = [
  { name: 'an equal operation', after: {} },
  { name: 'a new response field', after: { item: withFields(ITEM, { size: text }) } },
  { name: 'a new optional body field', after: { body: withFields(BODY, { size: text }) } },
  {
    name: 'a new value in a response',
    after: { item: withFields(ITEM, { role: { ...text, enum: ['artist', 'client', 'studio'] } }) },
  },
  { name: 'a higher limit', after: { limit: { ...LIMIT, maximum: 100 } } },
  { name: 'a new description', after: { limit: { ...LIMIT, description: 'The page size.' } } },
];

const BREAKING_CASES: Case[] = [
  {
    name: 'a removed operation',
    after: { method: 'post' },
    change: 'put: Operation `PUT /a removed operation` was removed.',
  },
  {
    name: 'a renamed operation',
    after: { operationId: 'other' },
    change:
      "put: `operationId` of operation `PUT /a renamed operation` changed from 'a renamed operation' to 'other'.",
  },
  {
    name: 'a public operation that requires an account',
    after: { security: [{ idToken: [] }] },
    change: 'put › security › 0: Security requirement `` is no longer accepted.',
  },
  {
    name: 'another status',
    after: { error: 409 },
    change: 'put › responses › 409: Response `400` became `409`.',
  },
  {
    name: 'a renamed parameter',
    after: { parameter: { name: 'size' } },
    change: 'put › parameters › size: `limit` query parameter was renamed to `size`.',
  },
  {
    name: 'a required parameter',
    after: { parameter: { required: true } },
    change: 'put › parameters › limit: `limit` query parameter became required.',
  },
  {
    name: 'a lower limit',
    after: { limit: { ...LIMIT, maximum: 40 } },
    change: "put › parameters › limit › schema: Upper bound changed from '<= 50' to '<= 40'.",
  },
  {
    name: 'another default',
    after: { limit: { ...LIMIT, default: 10 } },
    change: 'put › parameters › limit › schema: `default` changed from 20 to 10.',
  },
  {
    name: 'a removed default',
    after: { limit: { ...LIMIT, default: undefined } },
    change: 'put › parameters › limit › schema: `default` changed from 20 to none.',
  },
  {
    name: 'a required body field',
    after: { body: { ...BODY, required: ['id', 'order'] } },
    change: 'put › requestBody: Properties became required: `order`.',
  },
  {
    name: 'a removed body field',
    after: { body: withFields(BODY, { order: undefined }) },
    change: 'put › requestBody › properties › order: The field was removed.',
  },
  {
    name: 'another type',
    after: { body: withFields(BODY, { order: text }) },
    change:
      "put › requestBody › properties › order: Type of `order` narrowed from 'number' to 'string'.",
  },
  {
    name: 'a new minimum',
    after: { body: withFields(BODY, { order: { ...number, minimum: 1 } }) },
    change: "put › requestBody › properties › order: Lower bound of `order` was set to '>= 1'.",
  },
  {
    name: 'a smaller list',
    after: { body: withFields(BODY, { ids: { type: 'array', maxItems: 5 } }) },
    change: "put › requestBody › properties › ids: `maxItems` of `ids` changed from '9' to '5'.",
  },
  {
    name: 'a smaller text',
    after: { body: withFields(BODY, { id: { ...text, maxLength: 5 } }) },
    change: "put › requestBody › properties › id: `maxLength` of `id` changed from '20' to '5'.",
  },
  {
    name: 'a new pattern',
    after: { body: withFields(BODY, { id: { ...text, maxLength: 20, pattern: '^a' } }) },
    change: "put › requestBody › properties › id: `pattern` of `id` was set to '^a'.",
  },
  {
    name: 'a new enum',
    after: { body: withFields(BODY, { id: { ...text, maxLength: 20, enum: ['a'] } }) },
    change: "put › requestBody › properties › id: Enum of `id` was set to 'a'.",
  },
  {
    name: 'a new format',
    after: { body: withFields(BODY, { id: { ...text, maxLength: 20, format: 'date' } }) },
    change: "put › requestBody › properties › id: `format` of `id` was set to 'date'.",
  },
  {
    name: 'a removed response field',
    after: { item: withFields(ITEM, { role: undefined }) },
    change: 'put › responses › 200 › items › properties › role: Property `role` was removed.',
  },
  {
    name: 'an optional response field',
    after: { item: { ...ITEM, required: [] } },
    change: 'put › responses › 200 › items: Properties are no longer required: `id`.',
  },
  {
    name: 'a response field that may be null',
    after: { item: withFields(ITEM, { id: { type: ['string', 'null'] } }) },
    change:
      "put › responses › 200 › items › properties › id: Type of `id` widened from 'string' to 'string | null'.",
  },
  {
    name: 'a removed value of a response',
    after: { item: withFields(ITEM, { role: { ...text, enum: ['artist'] } }) },
    change:
      'put › responses › 200 › items › properties › role: `enum` changed from ["artist","client"] to ["artist"].',
  },
];

/** The changes of all cases, by the path of their operation: all cases share one comparison. */
const changes = Map.groupBy(
  findBreakingChanges(
    createDocument([...HARMLESS_CASES, ...BREAKING_CASES].map(({ name }) => ({ name, parts: {} }))),
    createDocument(
      [...HARMLESS_CASES, ...BREAKING_CASES].map(({ name, after }) => ({ name, parts: after })),
    ),
  ),
  (change) => change.split(' › ')[0],
);

test.each(HARMLESS_CASES)('does not report $name', ({ name }) => {
  expect(changes.get(`/${name}`)).toBeUndefined();
});

test.each(BREAKING_CASES)('reports $name', ({ name, change }) => {
  expect(changes.get(`/${name}`)).toEqual([`/${name} › ${change}`]);
});

/** Creates a document with one operation for each case. */
function createDocument(operations: readonly { name: string; parts: Parts }[]): string {
  const paths = operations.map(({ name, parts }) => {
    const { method = 'put', ...operation } = parts;
    return [`/${name}`, { [method]: createOperation(name, operation) }] as const;
  });
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1.0.0' },
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { idToken: { type: 'http', scheme: 'bearer' } } },
  });
}

function createOperation(
  name: string,
  {
    operationId = name,
    security = [{}],
    parameter,
    limit = LIMIT,
    body = BODY,
    item = ITEM,
    error = 400,
  }: Parts,
): object {
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  return {
    operationId,
    security,
    parameters: [{ name: 'limit', in: 'query', schema: limit, ...parameter }],
    requestBody: content(body),
    responses: {
      200: { description: 'Success.', ...content({ type: 'array', items: item }) },
      [error]: { description: 'The request is invalid.' },
    },
  };
}

/** Returns a schema with these fields; `undefined` removes a field. */
function withFields<Schema extends { properties: object }>(schema: Schema, fields: object): Schema {
  return { ...schema, properties: { ...schema.properties, ...fields } };
}
