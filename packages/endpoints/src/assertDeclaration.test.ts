import * as z from 'zod';
import { DOC_PLACEHOLDERS } from '../../../dev/testing/servedEndpoint.ts';
import type { EndpointDeclaration } from './declaration.ts';
import { defineEndpoint } from './defineEndpoint.ts';
import { listFunctions } from './deployedFunctions.ts';
import { pageParameters } from './schemas/pagination.ts';
import { Success } from './schemas/responses.ts';

type Changes = Partial<
  Pick<
    EndpointDeclaration,
    'method' | 'path' | 'params' | 'query' | 'body' | 'response' | 'example'
  >
>;

/** Defines an endpoint for a test with these changes. */
function define(changes: Changes) {
  return defineEndpoint({
    ...DOC_PLACEHOLDERS,
    method: 'PUT',
    path: '/things',
    access: 'public',
    response: Success,
    ...changes,
    handle: () => Promise.resolve({}),
  });
}

const text = z.string().describe('A text.');

test.each<{ readonly name: string; readonly changes: Changes; readonly message: string }>([
  {
    name: 'a path parameter that params lacks',
    changes: {
      path: '/things/{id}/{part}',
      params: z.object({ id: text }),
    },
    message:
      'PUT /things/{id}/{part}: params must declare exactly the parameters of the path. The path has id, part; params has id.',
  },
  {
    name: 'a field of params that the path lacks',
    changes: {
      params: z.object({ id: text }),
    },
    message:
      'PUT /things: params must declare exactly the parameters of the path. The path has nothing; params has id.',
  },
  {
    name: 'a GET request with a body',
    changes: {
      method: 'GET',
      body: z.object({ text }),
    },
    message: 'GET /things: a GET request has no body. Declare its fields in query.',
  },
  {
    name: 'a number in the query',
    changes: {
      query: z.object({ limit: z.int().optional() }),
    },
    message: 'PUT /things: query.limit does not accept text, but query parameters are text.',
  },
  {
    name: 'true or false in the query',
    changes: {
      query: z.object({ all: z.boolean().default(true) }),
    },
    message: 'PUT /things: query.all does not accept text',
  },
])('defineEndpoint throws for $name', ({ changes, message }) => {
  expect(() => define(changes)).toThrow(message);
});

test.each([
  { name: 'a page', query: pageParameters({ maxLimit: 50, defaultLimit: 20 }) },
  { name: 'an enum', query: z.object({ order: z.enum(['first', 'last']).optional() }) },
  { name: 'a number from text', query: z.object({ limit: text.transform(Number).pipe(z.int()) }) },
])('defineEndpoint accepts $name in the query', ({ query }) => {
  expect(define({ query }).declaration.query).toBe(query);
});

test.each<{ readonly name: string; readonly changes: Changes; readonly message: string }>([
  {
    name: 'a field without a description',
    changes: {
      body: z.object({ list: z.array(z.object({ id: z.string() })).describe('A list.') }),
    },
    message: "things-change: body.list[].id has no description. Add .describe('…').",
  },
  {
    name: 'a transform in a response',
    changes: {
      response: z.object({ a: z.union([text, text.transform(Number)]).describe('A union.') }),
    },
    message:
      'things-change: response.a has a transform, but responses are not transformed. Convert the value in the handler.',
  },
  {
    name: 'two schemas with one .meta id',
    changes: {
      body: z.object({ text }).meta({ id: 'Thing' }),
      response: z.object({ text }).meta({ id: 'Thing' }),
    },
    message:
      'things-change: response has the .meta id Thing of another schema (things-change: body). Give each schema its own id.',
  },
  {
    name: 'an example whose body is invalid',
    changes: {
      body: z.object({ text: text.min(3) }),
      example: { body: { text: 'a' }, response: { success: true } },
    },
    message: 'things-change: the example is invalid: text must have at least 3 characters.',
  },
  {
    name: 'an example whose response is invalid',
    changes: {
      example: { response: { success: 'yes' } },
    },
    message: 'things-change: the example is invalid: success must be true or false.',
  },
])('listFunctions throws for $name', ({ changes, message }) => {
  const change = define(changes);

  expect(() => listFunctions({ things: { change } })).toThrow(message);
});
