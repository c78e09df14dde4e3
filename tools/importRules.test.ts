/** Tests the layers and the order of imports in eslint.config.js. The files that import need not exist. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const IMPORTS = [
  { file: 'test/deploy/x.ts', source: '../../tools/checks/resources.ts', allowed: true },
  { file: 'test/service/x.ts', source: '../../tools/checks/googleApi.ts', allowed: false },
  { file: 'test/service/x.ts', source: '../support/processes/testStack.ts', allowed: true },
  { file: 'test/service/x.test.ts', source: '../../tools/checks/resources.ts', allowed: true },
  { file: 'test/support/google/x.ts', source: '../../../tools/checks/resources.ts', allowed: true },
  {
    file: 'test/support/google/x.ts',
    source: '../../../tools/checks/googleApi.ts',
    allowed: false,
  },
  { file: 'test/support/google/x.ts', source: '../../contract/run.ts', allowed: false },
  { file: 'test/support/google/x.ts', source: '../../../dev/ports.ts', allowed: true },
  { file: 'tools/x.ts', source: '../test/contract/run.ts', allowed: false },
  { file: 'tools/x.ts', source: '../test/support/google/fakeGoogle.ts', allowed: true },
  { file: 'tools/x.ts', source: '../packages/endpoints/src/request/route.ts', allowed: true },
  { file: 'tools/x.ts', source: './checks/resources.ts', allowed: true },
  { file: 'dev/x.ts', source: '../tools/checks/resources.ts', allowed: false },
  { file: 'dev/x.ts', source: '../test/support/google/fakeGoogle.ts', allowed: false },
  { file: 'dev/x.ts', source: '../demo/writeDemoData.ts', allowed: true },
  { file: 'dev/x.test.ts', source: '../tools/checks/resources.ts', allowed: true },
  { file: 'demo/x.ts', source: '../dev/ports.ts', allowed: false },
  { file: 'demo/app/x.tsx', source: '../../dev/ports.ts', allowed: false },
  { file: 'demo/x.ts', source: '../functions/service.ts', allowed: true },
  { file: 'functions/x.ts', source: '../demo/writeDemoData.ts', allowed: false },
  { file: 'functions/x.ts', source: './src/flash/flashListing.ts', allowed: true },
  { file: 'functions/x.ts', source: '../packages/endpoints/src/index.ts', allowed: false },
  { file: 'functions/x.test.ts', source: '../demo/writeDemoData.ts', allowed: true },
  { file: 'functions/src/x.ts', source: './flash/flashListing.ts', allowed: false },
  { file: 'functions/src/index.ts', source: './flash/flashListing.ts', allowed: true },
  { file: 'functions/src/flash/x.ts', source: '../gallery/galleryPhoto.ts', allowed: false },
  { file: 'functions/src/flash/x.ts', source: './flashListing.ts', allowed: true },
  { file: 'functions/src/flash/x.ts', source: '../parameters.ts', allowed: true },
  { file: 'functions/src/flash/x.ts', source: '../index.ts', allowed: false },
  { file: 'functions/src/flash/x.ts', source: '@tattoo-marketplace/endpoints', allowed: true },
  { file: 'functions/src/flash/x.test.ts', source: '../gallery/galleryPhoto.ts', allowed: false },
  {
    file: 'functions/src/flash/x.test.ts',
    source: '../../../test/support/jest/expectEqual.ts',
    allowed: true,
  },
  { file: 'packages/collections/src/x.ts', source: '@tattoo-marketplace/endpoints', allowed: true },
  { file: 'packages/collections/src/x.ts', source: '../../endpoints/src/index.ts', allowed: false },
  {
    file: 'packages/collections/src/x.ts',
    source: '@tattoo-marketplace/firestore-embedded',
    allowed: false,
  },
  { file: 'packages/collections/src/x.ts', source: '../../../dev/ports.ts', allowed: false },
  { file: 'packages/collections/src/x.test.ts', source: '../../../dev/ports.ts', allowed: true },
  {
    file: 'packages/collections/src/x.test.ts',
    source: '../../../demo/writeDemoData.ts',
    allowed: false,
  },
  {
    file: 'packages/collections/src/x.test.ts',
    source: '../../../test/support/google/stubGoogle.ts',
    allowed: true,
  },
  {
    file: 'packages/collections/src/x.test.ts',
    source: '../../../test/contract/run.ts',
    allowed: false,
  },
  {
    file: 'packages/endpoints/src/x.ts',
    source: '@tattoo-marketplace/firestore-rest',
    allowed: false,
  },
  { file: 'packages/endpoints/src/x.ts', source: './request/route.ts', allowed: true },
  {
    file: 'packages/endpoints/src/declaration/x.ts',
    source: '../schemas/unwrap.ts',
    allowed: false,
  },
  { file: 'packages/endpoints/src/declaration/x.ts', source: './parameters.ts', allowed: true },
  { file: 'packages/endpoints/src/request/x.ts', source: '../auth/adminSdk.ts', allowed: true },
  { file: 'packages/endpoints/src/request/x.ts', source: '../response/cors.ts', allowed: false },
  {
    file: 'packages/endpoints/src/schemas/x.ts',
    source: '../runtime/environment.ts',
    allowed: false,
  },
  {
    file: 'packages/endpoints/src/request/x.ts',
    source: '../declaration/errors.ts',
    allowed: true,
  },
  { file: 'packages/endpoints/src/request/x.ts', source: '../index.ts', allowed: false },
  {
    file: 'packages/endpoints/src/request/x.ts',
    source: '@tattoo-marketplace/firestore-rest',
    allowed: false,
  },
  {
    file: 'packages/endpoints/src/request/x.test.ts',
    source: '../response/cors.ts',
    allowed: true,
  },
  { file: 'packages/client/src/x.ts', source: '@tattoo-marketplace/endpoints', allowed: false },
  { file: 'packages/client/src/x.ts', source: 'zod', allowed: true },
  { file: 'packages/client/src/x.ts', source: 'react-dom', allowed: false },
  { file: 'packages/client/src/x.ts', source: 'firebase/auth', allowed: false },
  {
    file: 'packages/firestore-embedded/src/x.ts',
    source: '@tattoo-marketplace/firestore-rest',
    allowed: true,
  },
  {
    file: 'packages/firestore-rest/src/x.ts',
    source: '@tattoo-marketplace/firestore-embedded',
    allowed: false,
  },
  { file: 'packages/firestore-rest/src/x.ts', source: 'node:fs', allowed: true },
];

const ORDERS = [
  {
    name: 'accepts Node.js, npm, packages of this repository and files',
    code: "import 'node:fs';import a from 'zod';import b from 'ajv';import c from '@tattoo-marketplace/client';import d from '../d.ts';",
    message: undefined,
  },
  {
    name: 'accepts an import of a side effect anywhere',
    code: "import './a.ts';import b from 'zod';",
    message: undefined,
  },
  {
    name: 'rejects an npm package after a file',
    code: "import a from './a.ts';import type b from 'zod';",
    message: 'Expected "zod" (external) to come before "./a.ts" (sibling).',
  },
  {
    name: 'rejects Node.js after a package of this repository',
    code: "import a from '@tattoo-marketplace/client';import b from 'node:fs';",
    message: 'Expected "node:fs" (builtin) to come before "@tattoo-marketplace/client" (internal).',
  },
];

/** Lints files by the rules for imports. Jest cannot load eslint.config.js, whose plugins are ES modules. */
const LINT = `
  import { ESLint } from 'eslint';
  const eslint = new ESLint({
    ruleFilter: ({ ruleId }) => /^(boundaries|perfectionist)/.test(ruleId),
    // Without types, which these rules do not need.
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
  });
  for (const { file, code } of JSON.parse(process.argv[1])) {
    const [{ messages }] = await eslint.lintText(code, { filePath: file });
    console.log(JSON.stringify(messages.map(({ message }) => message)));
  }`;

/** Returns the messages for each file. */
async function lint(files: readonly { file: string; code: string }[]): Promise<string[][]> {
  const args = ['--input-type=module', '--eval', LINT, JSON.stringify(files)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[]);
}

let importMessages: string[][];
let orderMessages: string[][];

beforeAll(async () => {
  const files = IMPORTS.map(({ file, source }) => ({ file, code: `import a from '${source}';` }));
  const orders = ORDERS.map(({ code }) => ({ file: 'tools/x.ts', code }));
  const messages = await lint([...files, ...orders]);
  importMessages = messages.slice(0, files.length);
  orderMessages = messages.slice(files.length);
});

test.each(IMPORTS.map((row, index) => ({ ...row, index })))(
  '$file may import $source: $allowed',
  ({ allowed, index }) => {
    expect(importMessages[index]).toHaveLength(allowed ? 0 : 1);
  },
);

test.each(ORDERS.map((row, index) => ({ ...row, index })))(
  'the order of imports $name',
  ({ message, index }) => {
    expect(orderMessages[index]).toEqual(message === undefined ? [] : [message]);
  },
);

test("the error for another resource names what is allowed, and how to import a parent's model", () => {
  const index = IMPORTS.findIndex(({ source }) => source === '../gallery/galleryPhoto.ts');

  expect(importMessages[index]).toEqual([
    "functions/src/* may import only functions/src/!(index).ts, @tattoo-marketplace/*, its own part. Its parent's model may be imported below the comment `// eslint-disable-next-line boundaries/dependencies -- The parent's model.`",
  ]);
});
