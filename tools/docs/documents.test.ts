/** The files, headings, npm scripts and operations that the Markdown files name exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endpoints } from '../../functions/service.ts';

/** All Markdown files, with and without their code blocks. */
const PAGES = globSync('**/*.md', {
  exclude: (path) => /(^|\/)(node_modules|lib|\.[^/]+)$/.test(path),
}).map((file) => {
  const text = readFileSync(file, 'utf8');
  return { file, text, prose: text.replace(/^ *```[\s\S]*?^ *```$/gm, '') };
});

/** Finds the names that match the first group of a pattern, with their files. */
function findNames(pattern: RegExp): { file: string; name: string }[] {
  return PAGES.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(([, name = '']) => ({ file, name })),
  );
}

/** Lists the anchors of a page's headings, as GitHub generates them. */
function listAnchors(path: string): string[] {
  const prose = PAGES.find(({ file }) => file === path)?.prose ?? '';
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test.each(PAGES.map((page) => [page.file, page] as const))(
  'the links in %s lead to files and headings that exist',
  (file, { prose }) => {
    const links = [...prose.matchAll(/\]\((?!\w+:|\/)([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      return !existsSync(target) || (anchor !== undefined && !listAnchors(target).includes(anchor));
    });

    expect(broken).toEqual([]);
  },
);

test('docs/README.md lists all documents', () => {
  const index = 'docs/README.md';
  const text = PAGES.find(({ file }) => file === index)?.text ?? '';
  const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => join('docs', link));
  const isListed = (file: string) => [file, dirname(file)].some((path) => links.includes(path));
  const files = PAGES.map(({ file }) => file).filter((file) => file !== index);

  expect(files.filter((file) => !isListed(file))).toEqual(['README.md']);
});

test('the documents name files of the repository that exist', () => {
  const files = findNames(
    /`((?:functions|packages|public|demo|dev|tools|test|docs|examples|monitoring)\/[\w./-]+)`/g,
  );

  // The owner of a project writes its parameter file.
  const missing = files.filter(({ name }) => !name.includes('.env.') && !existsSync(name));
  expect(missing).toEqual([]);
  expect(files).not.toEqual([]);
});

test('the npm scripts in the documents exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
  const commands = findNames(/\bnpm (?:run )?((?<=run )\w[\w:-]*\w(?![:\w])|start|test)\b/g);

  expect(commands.filter(({ name }) => !(name in scripts))).toEqual([]);
  expect(commands).not.toEqual([]);
});

test('the npm scripts start files that exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
  const files = Object.values(scripts as Record<string, string>).flatMap(
    (script) => script.match(/(?<=\bnode )\S+/g) ?? [],
  );

  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(files).not.toEqual([]);
});

test('the documents name operations that exist', () => {
  const existing = endpoints.map(({ endpoint: { declaration } }) =>
    [declaration.method, declaration.path].join(' '),
  );
  const operations = findNames(/`((?:GET|POST|PUT|DELETE) \/[^`]*)`/g);

  expect(operations.filter(({ name }) => !existing.includes(name))).toEqual([]);
  expect(operations).not.toEqual([]);
});

test('in CI, only the deploy job can get the identity that deploys, and it runs no tests and no install scripts', () => {
  const [, ...jobs] = readFileSync('.github/workflows/deploy.yml', 'utf8').split(/^ {2}(?=\w+:$)/m);
  const withIdentity = jobs.filter((job) => job.includes('id-token: write'));

  const commands = withIdentity.map((job) => job.match(/(?<=- run: ).*/g));
  expect(commands).toEqual([
    [
      'npm ci --ignore-scripts',
      'npx firebase deploy --only firestore --project "$PROJECT_ID" --non-interactive',
      'npm run wait:indexes -- --project "$PROJECT_ID"',
      'npx firebase deploy --project "$PROJECT_ID" --non-interactive',
      'npm run check:deployed -- --project "$PROJECT_ID"',
    ],
  ]);
});
