/** The client, installed from Hosting in an empty app. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { getTestStack } from '../../../test/support/processes/testStack.ts';
import { app, run, useInstalledClient } from '../../../test/support/processes/installedClient.ts';

const { baseAddress: baseUrl } = getTestStack();

const IMPORT = `import { createMarketplaceClient } from '@tattoo-marketplace/client';`;
const REQUIRE = `const { createMarketplaceClient } = require('@tattoo-marketplace/client');`;
const CALL = `
  const api = createMarketplaceClient({ baseUrl: '${baseUrl}' });
  api.artists.list().then((artists) => console.log(artists.length));
`;
const TYPED_CALLS = `import { createMarketplaceClient, pages } from '@tattoo-marketplace/client';
  const api = createMarketplaceClient({ baseUrl: '' });
  export const first: Promise<string | undefined> =
    api.artists.list().then((artists) => artists[0]?.id);
  export const listings = pages(api.flash.listByArtist, { id: 'a', limit: 5 });
  // @ts-expect-error There is no such parameter.
  pages(api.flash.listByArtist, { id: 'a', limits: 5 });
`;
const STRICT_OPTIONS = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
const BUNDLER_OPTIONS = [
  '--module',
  'esnext',
  '--target',
  'es2022',
  '--moduleResolution',
  'bundler',
];

/** React and TanStack Query, and what they need. */
const REACT_PACKAGES = [
  'react',
  'react-dom',
  'scheduler',
  '@types/react',
  '@types/react-dom',
  'csstype',
  '@tanstack/react-query',
  '@tanstack/query-core',
];

/** A list with "load more", as an app has it. */
const LIST = `
  import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
  import { createMarketplaceClient, type MarketplaceError } from '@tattoo-marketplace/client';
  import { createQueries, getItems } from '@tattoo-marketplace/client/react-query';

  const api = createMarketplaceClient({ baseUrl: '${baseUrl}' });
  const queries = createQueries(api);

  export function List({ id }: { id: string }) {
    const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(
      queries.flash.listByArtist({ id, limit: 5 }),
    );
    const artists = useQuery(queries.artists.list());
    const reorder = useMutation({ mutationFn: api.flash.reorder });
    reorder.variables?.flashUpdates satisfies object | undefined;
    artists.data?.[0]?.displayName satisfies string | undefined;
    error satisfies MarketplaceError | null;
    data?.pages[0]?.nextCursor satisfies string | undefined;
    // @ts-expect-error The cursor of a page is not an input of the list.
    queries.flash.listByArtist({ id, cursor: 'a' });
    // @ts-expect-error This operation changes something.
    queries.flash.reorder;
    // @ts-expect-error No operation of this group reads.
    queries.bookings;
    return (
      <>
        {data && getItems(data).map((listing) => <li key={listing.id}>{listing.id}</li>)}
        {hasNextPage && <button onClick={() => fetchNextPage()}>Load more</button>}
      </>
    );
  }
`;
const RENDER = `
  import { createElement, StrictMode } from 'react';
  import { Window } from '${pathToFileURL(resolve('node_modules/happy-dom/lib/index.js')).href}';

  const window = new Window();
  Object.assign(globalThis, { window, document: window.document });
  const { createRoot } = await import('react-dom/client');
  const { QueryClient, QueryClientProvider } = await import('@tanstack/react-query');
  const { List } = await import('./list.mjs');
  const root = createRoot(document.body);
  const list = createElement(List, { id: 'artist-mara-voss' });
  const client = new QueryClient();
  root.render(
    createElement(StrictMode, null, createElement(QueryClientProvider, { client }, list)),
  );
  while (!document.querySelector('li')) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(document.body.innerHTML.replace(/<button.*/, ''));
  process.exit(0);
`;

/** Syntax of declarations that TypeScript 5.0 does not support: `NoInfer` and import attributes. */
const NEWER_THAN_5_0 = /\bNoInfer<|\bwith \{/;

useInstalledClient();

beforeAll(async () => {
  const files = {
    'call.mjs': IMPORT + CALL,
    'call.cjs': REQUIRE + CALL,
    'module.mts': TYPED_CALLS,
    'common.cts': TYPED_CALLS,
  };
  for (const [name, code] of Object.entries(files)) await writeFile(join(app, name), code);
});

async function compile(...options: string[]): Promise<string> {
  const tsc = resolve('node_modules/typescript/bin/tsc');
  return run(process.execPath, tsc, '--noEmit', ...STRICT_OPTIONS, ...options);
}

test.each(['call.mjs', 'call.cjs'])('calls the service from %s', async (file) => {
  expect(Number(await run(process.execPath, file))).toBeGreaterThan(0);
});

test('has types for ES modules and CommonJS, with old and new module resolution', async () => {
  expect(await compile('--module', 'nodenext', 'module.mts', 'common.cts')).toBe('');
  expect(await compile(...BUNDLER_OPTIONS, 'module.mts')).toBe('');
});

test('has types that TypeScript 5.0 supports', async () => {
  const folder = join(app, 'node_modules/@tattoo-marketplace/client/dist/esm');
  const declarations = (await readdir(folder)).filter((name) => name.endsWith('.d.ts'));

  expect(declarations).toContain('index.d.ts');
  for (const name of declarations) {
    expect(await readFile(join(folder, name), 'utf8')).not.toMatch(NEWER_THAN_5_0);
  }
});

test('its queries type-check in an app with React and TanStack Query, and render a list in StrictMode', async () => {
  for (const name of REACT_PACKAGES) {
    await cp(resolve('node_modules', name), join(app, 'node_modules', name), {
      recursive: true,
    });
  }
  await writeFile(join(app, 'list.tsx'), LIST);
  await writeFile(join(app, 'render.mjs'), RENDER);

  expect(await compile(...BUNDLER_OPTIONS, '--jsx', 'react-jsx', 'list.tsx')).toBe('');
  const { code } = await transform(LIST, { loader: 'tsx', jsx: 'automatic' });
  await writeFile(join(app, 'list.mjs'), code);
  expect(await run(process.execPath, 'render.mjs')).toMatch(/^(<li>.+?<\/li>){5}$/m);
});
