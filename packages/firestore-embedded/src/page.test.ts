/** The page that shows a person what is stored. */
import { rawRequest } from '../../../test/support/rawRequest.ts';
import { Store, toFields } from '../../../functions/declared/store.ts';
import { startEmbeddedFirestore, type EmbeddedFirestore } from './server.ts';

const ROOT = '/projects/demo/databases/(default)/documents';

let embedded: EmbeddedFirestore;
let store: Store;

beforeEach(async () => {
  embedded = await startEmbeddedFirestore();
  store = new Store(embedded.address, 'demo');
});

afterEach(() => embedded.stop());

const get = (path: string) => rawRequest(`http://${embedded.address}`, path);

/** The pages that links lead to, from one on, by their decoded addresses. */
async function pagesFrom(start: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const paths = [start];
  for (const path of paths) {
    const { status, text } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    pages.set(decodeURIComponent(path), text);
    const links = [...text.matchAll(/ href="([^"]*)"/g)].map(([, link = '']) => {
      const { pathname, search } = new URL(link, `http://${embedded.address}${path}`);
      return pathname + search;
    });
    paths.push(...links.filter((link) => !paths.includes(link)));
  }
  return pages;
}

test('its links lead from the list of databases to every collection and document, and nowhere else', async () => {
  const odd = '50%?#"&\'<é> .';
  await store.setAll([
    ['c/d', { a: 1 }],
    [`c/${odd}`, { b: { referenceValue: store.nameOf('c/d') } }],
    ['c/gone/below/e', {}],
  ]);

  const pages = await pagesFrom('/');

  const shown = ['', '/c', '/c/d', `/c/${odd}`, '/c/gone', '/c/gone/below', '/c/gone/below/e'];
  expect([...pages.keys()].sort()).toEqual(['/', ...shown.map((path) => ROOT + path)].sort());
  expect(pages.get(`${ROOT}/c`)).toContain('1 to 3 of 3 documents');
  expect(pages.get(`${ROOT}/c/gone`)).toContain('There is no document');
});

test.each<[string, unknown, string]>([
  ['string', 'two\nlines', 'two\nlines'],
  ['null', null, 'null'],
  ['boolean', false, 'false'],
  ['integer', 7, '7'],
  ['double', { doubleValue: 7 }, '7'],
  ['timestamp', { timestampValue: '2030-01-15T12:00:00.123456Z' }, '2030-01-15T12:00:00.123456Z'],
  ['bytes', { bytesValue: 'AA==' }, 'AA=='],
  ['geoPoint', { geoPointValue: { latitude: 1 } }, '{&quot;latitude&quot;:1}'],
])('shows a %s, also in lists and maps', async (kind, value, text) => {
  await store.set('c/d', { field: value, empty: {}, list: [{ nested: value }, value] });

  const page = await get(`${ROOT}/c/d`);

  const shown = `<span>${text}</span> <small>${kind}</small>`;
  expect(page.text).toContain(`<dt>field</dt><dd>${shown}</dd>`);
  expect(page.text).toContain(
    `<ul><li><dl><dt>nested</dt><dd>${shown}</dd></dl></li><li>${shown}</li></ul>`,
  );
});

test('runs nothing that is stored: names and values are escaped, and the policy allows no script', async () => {
  const script = '<script>alert(1)</script>';
  await store.set(`c/${script.replace('/', '')}`, { [script]: [script, { a: script }] });

  for (const [, page] of await pagesFrom('/')) expect(page).not.toMatch(/<script/i);
  const { headers, text } = await get(`${ROOT}/c`);
  expect(text).toContain('&lt;script>alert(1)&lt;/script>');
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=UTF-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
});

test('shows 100 documents at a time, and how many there are', async () => {
  await store.setAll(Array.from({ length: 201 }, (_, index) => [`c/d${1000 + index}`, {}]));

  const pages = [...(await pagesFrom(`${ROOT}/c`))].filter(([path]) => /\/c(\?|$)/.test(path));

  expect(pages.map(([path]) => path)).toEqual(
    ['', '?start=100', '?start=200'].map((query) => `${ROOT}/c${query}`),
  );
  expect(pages.map(([, text]) => /\d+ to \d+ of 201 documents/.exec(text)?.[0])).toEqual([
    '1 to 100 of 201 documents',
    '101 to 200 of 201 documents',
    '201 to 201 of 201 documents',
  ]);
});

test('shows a database without documents, and does not create it; refuses to write', async () => {
  expect((await get(ROOT)).status).toBe(200);
  expect((await get('/')).text).not.toContain('/demo/');

  const body = JSON.stringify({ fields: toFields({ a: 1 }) });
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    const { status } = await rawRequest(`http://${embedded.address}`, `${ROOT}/c/d`, {
      method,
      body,
    });
    expect([method, status]).toEqual([method, 404]);
  }
  expect(await store.everything()).toEqual({});
});
