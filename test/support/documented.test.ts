import { requireDocumented, type Exchange } from './documented.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'X-Request-Id': 'an-id',
  'X-Error-Code': 'invalid-argument',
  'Cache-Control': 'public, max-age=0, s-maxage=0',
  ETag: 'W/"tag"',
};

function exchange(fields: Partial<Exchange> = {}): Exchange {
  return {
    method: 'GET',
    path: '/flash/artist/alice/paginated?limit=1',
    status: 200,
    header: (name) => HEADERS[name],
    text: '{"flash":[],"total":0,"hasMore":false}',
    ...fields,
  };
}

test.each<Partial<Exchange>>([
  {},
  { method: 'HEAD', text: '' },
  { status: 304, text: '' },
  { status: 400, text: '{"message":"No."}' },
  { method: 'OPTIONS', status: 204, text: '' },
  { path: '/nothing', status: 404, text: '{"message":"No."}' },
  { path: '/flash/artist/../paginated', status: 404, text: '{"message":"No."}' },
])('%j is documented', (fields) => {
  expect(() => {
    requireDocumented(exchange(fields));
  }).not.toThrow();
});

const page = (element: string) => `{"flash":[${element}],"total":1,"hasMore":false}`;

test.each<[Partial<Exchange>, string]>([
  [{ status: 402, text: '{"message":"No."}' }, 'a status that is not documented'],
  [{ text: '{"flash":[],"hasMore":false}' }, "required property 'total'"],
  [{ text: '{"flash":[],"total":"0","hasMore":false}' }, 'must be integer'],
  [{ header: () => undefined }, 'without the header X-Request-Id'],
  [{ status: 304 }, 'with a body'],
  [{ status: 400, text: '{"message":"No.","stack":"…"}' }, 'additional properties'],
  [{ text: page('{"id":"a","secret":1}') }, 'additional properties'],
  [{ text: page('{"id":"a","price":{"secret":1}}') }, 'additional properties'],
  [{ method: 'PUT' }, 'to a method that is not documented'],
  [{ path: '/nothing' }, 'and there is nothing'],
])('%j is not documented', (fields, fault) => {
  expect(() => {
    requireDocumented(exchange(fields));
  }).toThrow(fault);
});
