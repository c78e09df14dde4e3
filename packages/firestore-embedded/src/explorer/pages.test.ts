/** Tests of the pages on which a person inspects the stored documents. */
import { sendRawRequest } from '../../../../test/support/requests/sendRawRequest.ts';
import { EmulatorClient } from '../emulatorClient.ts';
import { startEmbeddedFirestore, type EmbeddedFirestore } from '../server/server.ts';

const DOCUMENTS_ROOT = '/projects/demo/databases/(default)/documents';

let embedded: EmbeddedFirestore;
let store: EmulatorClient;

beforeEach(async () => {
  embedded = await startEmbeddedFirestore();
  store = new EmulatorClient(embedded.address, 'demo');
});

afterEach(() => embedded.stop());

const get = (path: string) => sendRawRequest(`http://${embedded.address}`, path);

/** Follows all links from a page. Returns the pages by their decoded addresses. */
async function crawl(start: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const paths = [start];
  for (const path of paths) {
    const { status, text } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    pages.set(decodeURIComponent(path), text);
    const links = [...text.matchAll(/ href="([^"]*)"/g)].map(([, link = '']) => link);
    paths.push(...links.filter((link) => !paths.includes(link)));
  }
  return pages;
}

test('links lead from the list of databases to every collection and document, and to no other address', async () => {
  const unusualId = '50%?#"&\'<é> .';
  await store.setAll([
    ['c/d', { a: 1 }],
    [`c/${unusualId}`, { b: { referenceValue: store.getResourceName('c/d') } }],
    ['c/missing/below/e', {}],
  ]);
  const otherStore = new EmulatorClient(embedded.address, 'other');
  await otherStore.set('c/d', {});

  const pages = await crawl('/');

  const missing = ['/c/missing', '/c/missing/below', '/c/missing/below/e'];
  const paths = ['', '/c', '/c/d', `/c/${unusualId}`, ...missing].map(
    (path) => DOCUMENTS_ROOT + path,
  );
  const otherPaths = ['', '/c', '/c/d'].map(
    (path) => DOCUMENTS_ROOT.replace('demo', 'other') + path,
  );
  expect([...pages.keys()].sort()).toEqual(['/', ...paths, ...otherPaths].sort());
  expect(pages.get(`${DOCUMENTS_ROOT}/c`)).toContain('3 of 3 documents');
  expect(pages.get(`${DOCUMENTS_ROOT}/c/missing`)).toContain('There is no document.');
});

test.each<{ type: string; value: unknown; html: string }>([
  { type: 'string', value: 'two\nlines', html: 'two\nlines' },
  { type: 'integer', value: 7, html: '7' },
  {
    type: 'timestamp',
    value: { timestampValue: '2030-01-15T12:00:00.123456Z' },
    html: '2030-01-15T12:00:00.123456Z',
  },
  {
    type: 'geoPoint',
    value: { geoPointValue: { latitude: 1 } },
    html: '{&quot;latitude&quot;:1}',
  },
])('shows a $type, also in lists and maps', async ({ type, value, html }) => {
  await store.set('c/d', { field: value, empty: {}, list: [{ nested: value }, value] });

  const page = await get(`${DOCUMENTS_ROOT}/c/d`);

  const renderRow = (name: string) =>
    `<div><dt><bdi>${name}</bdi> <small>${type}</small></dt><dd><bdi>${html}</bdi></dd></div>`;
  expect(page.text).toContain(renderRow('field'));
  expect(page.text).toContain(
    `<dd><dl>${renderRow('nested')}</dl></dd></div>${renderRow('1')}</dl>`,
  );
});

test('escapes stored names and values, and disallows scripts by CSP', async () => {
  const script = '<script>alert(1)</script>';
  await store.set(`c/${script.replace('/', '')}`, { [script]: [script, { a: script }] });

  for (const [, page] of await crawl('/')) expect(page).not.toMatch(/<script/i);
  const { headers, text } = await get(`${DOCUMENTS_ROOT}/c`);
  expect(text).toContain('&lt;script>alert(1)&lt;/script>');
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=UTF-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
});

test('shows the first 500 documents, and the number of all documents', async () => {
  const ids = Array.from({ length: 501 }, (_, index) => `d${1000 + index}`);
  await store.setAll(ids.map((id) => [`c/${id}`, {}]));

  for (const path of [`${DOCUMENTS_ROOT}/c`, `${DOCUMENTS_ROOT}?search=d1`]) {
    const { text } = await get(path);
    expect(text).toContain('500 of 501 documents');
    expect(text.match(/d1\d{3}</g)).toEqual(ids.slice(0, 500).map((id) => `${id}<`));
  }
});

test('finds documents of all collections by a part of their id', async () => {
  await store.setAll([
    ['c/mara', {}],
    ['c/mara/below/x', {}],
    ['d/a&mara"', {}],
    ['d/x', {}],
  ]);

  const searchIds = async (search: string) => {
    const { text } = await get(`${DOCUMENTS_ROOT}/c?search=${encodeURIComponent(search)}`);
    return [...text.matchAll(/<th scope="row"><a[^>]*><bdi>(.*?)</g)].map(([, id]) => id);
  };

  expect(await searchIds('mara')).toEqual(['c/mara', 'd/a&amp;mara&quot;']);
  expect(await searchIds('&mara"')).toEqual(['d/a&amp;mara&quot;']);
  expect(await searchIds('c')).toEqual([]);
});

test('shows five fields in a table, and only the start of a string', async () => {
  const smile = '😀';
  await store.setAll([
    ['c/a', { map: { a: 1 }, list: [1, 2], text: smile.repeat(1e5), number: 1 }],
    ['c/b', { constructor: 'own', number: 2, sixth: 6 }],
  ]);

  const { text } = await get(`${DOCUMENTS_ROOT}/c`);

  const cells = [...text.matchAll(/<t[hd].*?<\/t[hd]>/g)].map(([cell]) =>
    cell.replace(/<.*?>/g, ''),
  );
  expect(cells).toEqual([
    'Id',
    'map',
    'list',
    'text',
    'number',
    'constructor',
    'a',
    'map of 1',
    'array of 2',
    `${smile.repeat(60)}…`,
    '1',
    '',
    'b',
    '',
    '',
    '',
    '2',
    'own',
  ]);
});
