/** What the documents name exists: files, headings, operations. */
import { existsSync, readFileSync } from 'node:fs';
import { deployedEndpoints } from '../../dev/shared/deployMap.ts';
import { COLLECTIONS } from '../data/collections.ts';
import { anchorsOf, linksOf, pages, targetOf } from './markdown.ts';

const all = pages();

test.each(all.map((page) => [page.file, page] as const))(
  'the links in %s lead to files and headings that exist',
  (_file, page) => {
    const broken = linksOf(page).filter((link) => {
      const file = targetOf(page, link);
      if (link.anchor === undefined) return !existsSync(file);
      const target = all.find((each) => each.file === file);
      return target === undefined || !anchorsOf(target).includes(link.anchor);
    });

    expect(broken).toEqual([]);
  },
);

test('the documents name files of the repository that exist', () => {
  const roots = 'functions|packages|public|dev|tools|test|docs';
  const named = all.flatMap(({ file, text }) =>
    [...text.matchAll(new RegExp(`\`((?:${roots})/[\\w./-]+)\``, 'g'))].map(([, path = '']) => ({
      file,
      path,
    })),
  );

  // The parameters of a project are written by its owner.
  const missing = named.filter(({ path }) => !path.includes('.env.') && !existsSync(path));
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(50);
});

test('docs/data.md and docs/mobile.md name operations that exist', () => {
  const existing = deployedEndpoints.map(({ endpoint: { declaration } }) =>
    [declaration.method, declaration.path].join(' '),
  );
  const named = COLLECTIONS.flatMap(({ written }) =>
    Object.values(written).flatMap((text) => text.match(/[A-Z]+ \/[\w/-]+/g) ?? []),
  );
  const mobile = all.find(({ file }) => file === 'docs/mobile.md')?.text ?? '';
  const ids = mobile.match(/(flash|bookings)[A-Z]\w+/g) ?? [];

  expect(named.filter((operation) => !existing.includes(operation))).toEqual([]);
  expect(deployedEndpoints.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining([...new Set(ids)]),
  );
});

test.each(['failures', 'latency'])(
  'the alert in %s.json applies to the functions of the service, and to no others of the project',
  (name) => {
    const policy = readFileSync(`functions/alerts/${name}.json`, 'utf8');
    const filters = policy.match(/run\.googleapis\.com.*/g) ?? [];
    const groups = [...new Set(deployedEndpoints.map(({ group }) => group.toLowerCase()))].sort();

    expect(filters.length).toBeGreaterThan(0);
    for (const filter of filters) expect(filter).toContain(`(\\"(${groups.join('|')})-.*\\")`);
  },
);
