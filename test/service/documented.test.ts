/** That every response is compared with public/openapi.json means something: whatever differs from it is found. */
import { requireDocumented } from '../support/documented.ts';
import type { RawResponse } from '../support/rawRequest.ts';

const LISTINGS = '/flash/artist/alice/paginated?limit=1';
const HEADERS = ['x-request-id', 'cache-control', 'etag', 'x-error-code'];
const EMPTY = '{"flash":[],"total":0,"hasMore":false}';
const LISTING = { id: 'a', price: { secret: 1 } };

test.each<[fault: string, response: Partial<RawResponse>, method?: string, path?: string]>([
  ['a status that is not documented', { status: 402, text: '{"message":"No."}' }],
  ["required property 'total'", { text: '{"flash":[],"hasMore":false}' }],
  ['must be integer', { text: EMPTY.replace('0', '"0"') }],
  ['additional prop', { text: EMPTY.replace('[]', JSON.stringify([LISTING])) }],
  ['additional properties', { status: 400, text: '{"message":"No.","stack":"…"}' }],
  ['without the header X-Request-Id', { headers: {} }],
  ['with a body', { status: 304 }],
  ['to a method that is not documented', {}, 'PUT'],
  ['but public/openapi.json has no such path: run npm run generate', {}, 'GET', '/nothing'],
])('a response %s would be found', (fault, other, method = 'GET', path = LISTINGS) => {
  const headers = Object.fromEntries(HEADERS.map((name) => [name, 'x']));
  const response = { status: 200, headers, text: EMPTY };

  expect(() => {
    requireDocumented('GET', LISTINGS, response);
  }).not.toThrow();
  expect(() => {
    requireDocumented(method, path, { ...response, ...other });
  }).toThrow(fault);
});
