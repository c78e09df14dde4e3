import { requireDocumented, type Exchange } from './documented.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'X-Request-Id': 'an-id',
  'Cache-Control': 'public, max-age=0, s-maxage=0',
  ETag: 'W/"tag"',
  'X-Error-Code': 'invalid-argument',
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

describe('requireDocumented', () => {
  test.each<[string, Partial<Exchange>]>([
    ['a documented response', {}],
    ['a response to HEAD', { method: 'HEAD', text: '' }],
    ['a 304 without a body', { status: 304, text: '' }],
    ['an error', { status: 400, text: '{"message":"No."}' }],
    ['a preflight response', { method: 'OPTIONS', status: 204, text: '' }],
    ['a 404 for an unknown path', { path: '/nothing', status: 404, text: '{"message":"No."}' }],
    [
      'a 400 for a path with ..',
      { path: '/flash/artist/../paginated', status: 404, text: '{"message":"No."}' },
    ],
  ])('accepts %s', (_what, fields) => {
    expect(() => {
      requireDocumented(exchange(fields));
    }).not.toThrow();
  });

  test.each<[string, Partial<Exchange>, string]>([
    [
      'an undocumented status',
      { status: 402, text: '{"message":"No."}' },
      'a status that is not documented',
    ],
    ['a missing field', { text: '{"flash":[],"hasMore":false}' }, "required property 'total'"],
    [
      'a field of another type',
      { text: '{"flash":[],"total":"0","hasMore":false}' },
      'must be integer',
    ],
    ['a missing header', { header: () => undefined }, 'without the header X-Request-Id'],
    ['an unexpected body', { status: 304 }, 'with a body'],
    [
      'an error with more fields than message',
      { status: 400, text: '{"message":"No.","stack":"…"}' },
      'additional properties',
    ],
    [
      'an unknown field',
      { text: '{"flash":[{"id":"a","secret":1}],"total":1,"hasMore":false}' },
      'additional properties',
    ],
    [
      'an unknown nested field',
      { text: '{"flash":[{"id":"a","price":{"secret":1}}],"total":1,"hasMore":false}' },
      'additional properties',
    ],
    [
      'a response to an undocumented method',
      { method: 'PUT' },
      'to a method that is not documented',
    ],
    ['a response for an undocumented path', { path: '/nothing' }, 'and there is nothing'],
  ])('refuses %s', (_what, fields, fault) => {
    expect(() => {
      requireDocumented(exchange(fields));
    }).toThrow(fault);
  });
});
