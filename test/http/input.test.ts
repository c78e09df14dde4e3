/** A body that is sent as repeated query parameters, for clients whose DELETE loses its body. */
import * as z from 'zod';
import { endpoint } from '../../functions/src/http/endpoint.ts';
import { serveInProcess } from '../support/inProcess.ts';
import { rawRequest, type RawResponse } from '../support/rawRequest.ts';

/** Sends a request to an endpoint that returns its body. */
async function send(
  query: string,
  { inQuery = true, body }: { readonly inQuery?: boolean; readonly body?: string } = {},
): Promise<RawResponse> {
  const lists = z.object({ ids: z.array(z.string()), others: z.array(z.string()).optional() });
  const echo = endpoint({
    method: 'DELETE',
    path: '/things',
    access: 'public',
    summary: 'Echo',
    description: 'Returns the body.',
    body: lists,
    ...(inQuery && { bodyInQuery: true }),
    response: lists,
    errors: {},
    handle: (input) => Promise.resolve(input.body),
  });
  const served = await serveInProcess(echo);
  try {
    return await rawRequest(served.origin, `/things${query}`, {
      method: 'DELETE',
      ...(body !== undefined && { body, headers: { 'Content-Type': 'application/json' } }),
    });
  } finally {
    await served.stop();
  }
}

const MISSING = JSON.stringify({ message: 'A JSON body is required.' });

test.each([
  ['?ids=a', { ids: ['a'] }],
  ['?ids=a&ids=b%20c&unknown=d', { ids: ['a', 'b c'] }],
  ['?others=x&ids=a', { ids: ['a'], others: ['x'] }],
])('%s is the body', async (query, expected) => {
  const { status, text } = await send(query);

  expect({ status, body: JSON.parse(text) as unknown }).toEqual({ status: 200, body: expected });
});

test('a body counts more than the query', async () => {
  expect(await send('?ids=a', { body: '{"ids":["b"]}' })).toMatchObject({
    status: 200,
    text: '{"ids":["b"]}',
  });
});

test.each(['', '?unknown=a', '?Ids=a'])('“%s” is no body', async (query) => {
  expect(await send(query)).toMatchObject({ status: 400, text: MISSING });
});

test('an endpoint takes no body from its query unless it says so', async () => {
  expect(await send('?ids=a', { inQuery: false })).toMatchObject({ status: 400, text: MISSING });
});
