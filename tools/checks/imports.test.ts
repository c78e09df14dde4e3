/** Imports run downward only (README.md, "Layout"), as ESLint enforces it. */
import { ESLint, type Linter } from 'eslint';

// The configuration is JavaScript, without types.
const config = jest.requireActual<{ default: Linter.Config[] }>('../../eslint.config.js');

const eslint = new ESLint({
  overrideConfigFile: true,
  baseConfig: config.default,
  // Types are not needed, nor is the file.
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
  ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-imports',
});

test.each([
  ['functions/src/errors.ts', ['./http/b.ts', './index.ts', '../../dev/b.ts'], ['./ids.ts']],
  [
    'functions/src/platform/a.ts',
    ['../auth/b.ts', '../index.ts', '../../../dev/b.ts'],
    ['../b.ts'],
  ],
  [
    'functions/src/auth/a.ts',
    ['../flash/b.ts', '../http/b.ts', '../../../test/b.ts'],
    ['../platform/b.ts'],
  ],
  [
    'functions/src/documents/a.ts',
    ['../http/b.ts', '../auth/b.ts', '../../../tools/b.ts'],
    ['../platform/b.ts'],
  ],
  [
    'functions/src/http/a.ts',
    ['../documents/b.ts', '../flash/b.ts', '../../../dev/b.ts'],
    ['../auth/b.ts', '../platform/b.ts'],
  ],
  [
    'functions/src/flash/a.ts',
    ['../gallery/b.ts', '../auth/b.ts', '../../../dev/b.ts'],
    ['../http/b.ts', '../documents/b.ts'],
  ],
  [
    'functions/src/index.ts',
    ['./http/b.ts', './platform/b.ts', '../declared/b.ts', '../../dev/b.ts'],
    ['./flash/b.ts'],
  ],
  ['packages/p/src/a.ts', ['../../../functions/src/b.ts', '../../../dev/b.ts'], ['./b.ts']],
  ['packages/p/src/a.test.ts', [], ['../../../dev/b.ts']],
  ['functions/declared/a.ts', ['../../demo/b.ts', '../../dev/b.ts'], ['../src/b.ts']],
  ['demo/a.ts', ['../dev/b.ts', '../test/support/b.ts'], ['../functions/declared/b.ts']],
  ['dev/google/a.ts', ['../../tools/b.ts', '../../test/b.ts'], ['../../demo/b.ts']],
  ['tools/data/a.ts', ['../../test/support/b.ts'], ['../../dev/b.ts']],
  ['tools/data/a.test.ts', ['../../test/http/b.ts'], ['../../test/support/b.ts', '../../dev/b.ts']],
  ['test/http/a.test.ts', ['../../tools/b.ts'], ['../../dev/b.ts', '../../functions/src/b.ts']],
])('%s may not import %j, but %j', async (filePath, forbidden, allowed) => {
  const paths = [...forbidden, ...allowed];
  const code = paths.map((path) => `import '${path}';\n`).join('');

  const [result] = await eslint.lintText(code, { filePath });

  // An import may be refused for two reasons.
  const refused = new Set(result?.messages.map(({ line }) => paths[line - 1]));
  expect([...refused]).toEqual(forbidden);
});
