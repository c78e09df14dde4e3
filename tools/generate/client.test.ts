import * as z from 'zod';
import { assertSendable } from './client.ts';

const id = z.object({ id: z.string() });

test.each([
  {
    name: 'a query of a write',
    declaration: { method: 'PUT', path: '/things', query: id },
    message:
      'PUT /things: the client sends a query only with GET. Declare the fields of query in body.',
  },
  {
    name: 'a path parameter and a query field of one name',
    declaration: { method: 'GET', path: '/things/{id}', params: id, query: id },
    message:
      "GET /things/{id}: params and query both have id, but the client's input has one field of each name. Rename one.",
  },
  {
    name: 'a path parameter and a body field of one name',
    declaration: { method: 'PUT', path: '/things/{id}', params: id, body: id },
    message: 'PUT /things/{id}: params and body both have id',
  },
] as const)('the client rejects $name', ({ declaration, message }) => {
  expect(() => {
    assertSendable(declaration);
  }).toThrow(message);
});
