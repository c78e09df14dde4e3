import * as z from 'zod';
import { DOC_PLACEHOLDERS } from '../../../test/support/processes/servedEndpoint.ts';
import type { EndpointDeclaration } from './declaration/declaration.ts';
import { defineEndpoint } from './defineEndpoint.ts';
import { defineIntegerParameter } from './declaration/defineParameter.ts';
import { listFunctions } from './deployedFunctions.ts';
import { documentIdList } from './schemas/documentIds.ts';
import { pageParameters } from './schemas/pagination.ts';
import { Success } from './schemas/responses.ts';

type Changes = Partial<EndpointDeclaration>;

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
const cacheSeconds = defineIntegerParameter('CACHE_SECONDS', 0, 600, {
  default: 300,
  description: 'Of a test.',
});

const NOT_A_PUBLIC_READ =
  'only public GET requests may have cacheSeconds or coalesceReads, because their responses are sent to other callers.';

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
  {
    name: 'a slash at the end of the path',
    changes: { path: '/things/' },
    message:
      'PUT /things/: the path is invalid. Write it like /flash/artist/{id}, without a slash at the end.',
  },
  {
    name: 'a path that consists of parameters',
    changes: { path: '/{id}', params: z.object({ id: text }) },
    message: 'PUT /{id}: the path needs a segment that is not a parameter.',
  },
  {
    name: 'another syntax of path parameters',
    changes: { path: '/things/:id' },
    message: 'PUT /things/:id: the path is invalid.',
  },
  {
    name: 'the base URL in the path',
    changes: { path: '/api/things' },
    message:
      'PUT /api/things: the path is below the base URL, which ends in /api. Write it without /api.',
  },
  {
    name: 'a GET request that creates a document',
    changes: { method: 'GET', access: 'signedIn', createsDocument: true },
    message: 'GET /things: a GET request creates nothing. Use POST, or remove createsDocument.',
  },
  {
    name: 'a text in a body that the query may have',
    changes: { body: z.object({ list: z.array(text), text }), allowBodyInQuery: true },
    message: 'PUT /things: allowBodyInQuery needs a body of lists, but body.text is not a list.',
  },
  {
    name: 'a cached response of a write',
    changes: { cacheSeconds },
    message: `PUT /things: ${NOT_A_PUBLIC_READ}`,
  },
  {
    name: 'a cached response to a signed-in user',
    changes: { method: 'GET', access: 'signedIn', cacheSeconds },
    message: `GET /things: ${NOT_A_PUBLIC_READ}`,
  },
  {
    name: 'a coalesced response to a signed-in user',
    changes: { method: 'GET', access: 'signedIn', coalesceReads: true },
    message: `GET /things: ${NOT_A_PUBLIC_READ}`,
  },
  {
    name: 'a coalesced response that depends on the query',
    changes: { method: 'GET', query: z.object({ text }), coalesceReads: true },
    message:
      'GET /things: coalesceReads allows neither params nor query, because all callers share one response.',
  },
  {
    name: 'a coalesced response that depends on the path',
    changes: {
      method: 'GET',
      path: '/things/{id}',
      params: z.object({ id: text }),
      coalesceReads: true,
    },
    message: 'GET /things/{id}: coalesceReads allows neither params nor query',
  },
  {
    name: 'a deadline after the timeout of Hosting',
    changes: { deadlineSeconds: 60 },
    message: 'PUT /things: deadlineSeconds must be an integer from 1 to 59.',
  },
  {
    name: 'a concurrency of 0',
    changes: { concurrency: 0 },
    message: 'PUT /things: concurrency must be an integer from 1 to 250.',
  },
  {
    name: 'a concurrency that is not an integer',
    changes: { concurrency: 1.5 },
    message: 'PUT /things: concurrency must be an integer from 1 to 250.',
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

test.each([
  { name: 'an array', list: z.array(text) },
  { name: 'an optional list of ids', list: documentIdList(5).optional() },
])('defineEndpoint accepts $name in a body that the query may have', ({ list }) => {
  const body = z.object({ list });

  expect(define({ body, allowBodyInQuery: true }).declaration.body).toBe(body);
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
