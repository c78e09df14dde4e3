import { findBreakingChanges, type ComparableDocument } from './breakingChanges.ts';

const text = { type: 'string' };
const BODY = {
  type: 'object',
  properties: { id: text, order: { type: 'number' } },
  required: ['id'],
};
const ITEM = {
  type: 'object',
  properties: { id: text, kind: { ...text, enum: ['artist', 'client'] } },
  required: ['id'],
};

/** A document with one operation, whose parts can be replaced. */
function createDocument({
  body = BODY,
  item = ITEM,
  limit = {},
  path = '/flash',
} = {}): ComparableDocument {
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  const operation = {
    parameters: [{ name: 'limit', schema: { type: 'integer' }, ...limit }],
    requestBody: content(body),
    responses: { 200: content({ type: 'array', items: { $ref: '#/components/schemas/Item' } }) },
  };
  return { paths: { [path]: { put: operation } }, components: { schemas: { Item: item } } };
}

test.each([
  { name: 'the same document', after: {} },
  {
    name: 'a new response field',
    after: { item: { ...ITEM, properties: { ...ITEM.properties, size: text } } },
  },
  {
    name: 'a new optional body field',
    after: { body: { ...BODY, properties: { ...BODY.properties, size: text } } },
  },
])('does not report $name', ({ after }) => {
  expect(findBreakingChanges(createDocument(), createDocument(after))).toEqual([]);
});

test.each([
  { name: 'an operation', after: { path: '/other' }, change: 'PUT /flash was removed' },
  {
    name: 'a response field',
    after: { item: { ...ITEM, properties: { kind: ITEM.properties.kind }, required: [] } },
    change: 'PUT /flash: response[].id was removed',
  },
  {
    name: 'an optional response field',
    after: { item: { ...ITEM, required: [] } },
    change: 'PUT /flash: response[].id may be missing',
  },
  {
    name: 'an enum value',
    after: { item: { ...ITEM, properties: { id: text, kind: { ...text, enum: ['artist'] } } } },
    change: 'PUT /flash: response[].kind no longer has the value "client"',
  },
  {
    name: 'a required body field',
    after: { body: { ...BODY, required: ['id', 'order'] } },
    change: 'PUT /flash: body.order became required',
  },
  {
    name: 'a required parameter',
    after: { limit: { required: true } },
    change: 'PUT /flash: parameters.limit became required',
  },
  {
    name: 'another type',
    after: { body: { ...BODY, properties: { id: text, order: text } } },
    change: 'PUT /flash: body.order has another type',
  },
])('reports $name', ({ after, change }) => {
  expect(findBreakingChanges(createDocument(), createDocument(after as object))).toEqual([change]);
});
