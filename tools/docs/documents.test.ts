/** What the documents name exists: files, headings, npm scripts, operations. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deployedEndpoints } from '../../functions/service.ts';

/** All Markdown files, with and without their code blocks. */
const PAGES = globSync('**/*.md', {
  exclude: (path) => /(^|\/)(node_modules|lib|\.[^/]+)$/.test(path),
}).map((file) => {
  const text = readFileSync(file, 'utf8');
  return { file, text, prose: text.replace(/^ *```[\s\S]*?^ *```$/gm, '') };
});

/** Where something stands that the documents name. */
function named(pattern: RegExp): { file: string; name: string }[] {
  return PAGES.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(([, name = '']) => ({ file, name })),
  );
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
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
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });

    expect(broken).toEqual([]);
  },
);

test('the documents name files of the repository that exist', () => {
  const files = named(/`((?:functions|packages|public|demo|dev|tools|test|docs)\/[\w./-]+)`/g);

  // The parameters of a project are written by its owner.
  const missing = files.filter(({ name }) => !name.includes('.env.') && !existsSync(name));
  expect(missing).toEqual([]);
  expect(files).not.toEqual([]);
});

test('the npm scripts in the documents exist, with their options', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const commands = named(/\bnpm ((?:run \w[\w:-]*\w(?![:\w])|start|test)(?: -- [^`\n]*)?)/g);
  const wrong = commands.filter(({ name }) => {
    const [script = '', options = ''] = name.replace(/^run | -->$/g, '').split(' -- ');
    const program = /^(?:exec )?node (\S+)/.exec(scripts[script] ?? '')?.[1];
    const source = program === undefined ? '' : readFileSync(program, 'utf8');
    // Of a command that an npm script runs, the options are its own.
    const flags = options.startsWith('--') ? options.match(/(?<=--)[\w-]+/g) : [];
    const isOption = (flag: string) => new RegExp(`\\b'?${flag}'?: (\\{|PROJECT)`).test(source);
    return scripts[script] === undefined || !flags?.every(isOption);
  });

  expect(wrong).toEqual([]);
  expect(commands).not.toEqual([]);
});

test('the commands of the Firebase CLI in the documents name the project, which .firebaserc would make demo-tattoo', () => {
  const commands = named(/\bnpx firebase ((?:deploy|functions|hosting)\b[^`#\n]*)/g);

  expect(commands.filter(({ name }) => !name.includes('--project'))).toEqual([]);
  expect(commands).not.toEqual([]);
});

test('the documents name operations that exist', () => {
  const existing = deployedEndpoints.map(({ endpoint: { declaration } }) =>
    [declaration.method, declaration.path].join(' '),
  );
  const operations = named(/`((?:GET|POST|PUT|DELETE) \/[^`]*)`/g);
  const ids = readFileSync('docs/mobile.md', 'utf8').match(/(flash|bookings)[A-Z]\w+/g) ?? [];

  expect(operations.filter(({ name }) => !existing.includes(name))).toEqual([]);
  expect(operations).not.toEqual([]);
  expect(deployedEndpoints.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining([...new Set(ids)]),
  );
});

test('in CI, only the job that deploys can get its identity, and runs no tests and no install scripts', () => {
  const [, ...jobs] = readFileSync('.github/workflows/deploy.yml', 'utf8').split(/^ {2}(?=\w+:$)/m);
  const withIdentity = jobs.filter((job) => job.includes('id-token: write'));

  const commands = withIdentity.map((job) => job.match(/(?<=- run: ).*/g));
  expect(commands).toEqual([
    [
      'npm ci --ignore-scripts',
      'npx firebase deploy --project "$P" --non-interactive',
      'npm run check:deployed -- --project "$P"',
    ],
  ]);
});
