import { requireDocumented, type Exchange } from './documented.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'X-Request-Id': 'an-id',
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

describe('requireDocumented', () => {
  test.each<[string, Partial<Exchange>]>([
    ['an answer as documented', {}],
    ['an answer to HEAD', { method: 'HEAD', text: '' }],
    ['a 304 without a body', { status: 304, text: '' }],
    ['an error', { status: 400, text: '{"message":"No."}' }],
    ['a preflight', { method: 'OPTIONS', status: 204, text: '' }],
    ['a path that is not there', { path: '/nothing', status: 404, text: '{"message":"No."}' }],
    [
      'a path that resolves to another',
      { path: '/flash/artist/../paginated', status: 404, text: '{"message":"No."}' },
    ],
  ])('takes %s', (_what, fields) => {
    expect(() => {
      requireDocumented(exchange(fields));
    }).not.toThrow();
  });

  test.each<[string, Partial<Exchange>, string]>([
    [
      'another status',
      { status: 402, text: '{"message":"No."}' },
      'a status that is not documented',
    ],
    ['a field too few', { text: '{"flash":[],"hasMore":false}' }, "required property 'total'"],
    [
      'a field of another type',
      { text: '{"flash":[],"total":"0","hasMore":false}' },
      'must be integer',
    ],
    ['a header too few', { header: () => undefined }, 'without the header X-Request-Id'],
    ['a body where there is none', { status: 304 }, 'with a body'],
    [
      'an error with more than a message',
      { status: 400, text: '{"message":"No.","stack":"…"}' },
      'additional properties',
    ],
    [
      'a field that no schema names',
      { text: '{"flash":[{"id":"a","secret":1}],"total":1,"hasMore":false}' },
      'additional properties',
    ],
    [
      'such a field deeper inside',
      { text: '{"flash":[{"id":"a","price":{"secret":1}}],"total":1,"hasMore":false}' },
      'additional properties',
    ],
    ['an answer to another method', { method: 'PUT' }, 'to a method that is not documented'],
    ['an answer where nothing is', { path: '/nothing' }, 'and there is nothing'],
  ])('refuses %s', (_what, fields, fault) => {
    expect(() => {
      requireDocumented(exchange(fields));
    }).toThrow(fault);
  });
});
