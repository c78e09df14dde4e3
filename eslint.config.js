import js from '@eslint/js';
import jest from 'eslint-plugin-jest';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/**
 * The folders from top to bottom: a file imports nothing from above, nor from a folder beside its own. Each file is in only
 * one block with this rule, because the options in a later block replace those in an earlier one.
 */
const FLOORS = [['test', 'tools'], ['dev'], ['demo'], ['declared'], ['functions'], ['packages']];

/** The folders of `functions/src` that are no resources, and those that each may import. */
const ROOMS = {
  http: ['auth', 'platform'],
  documents: ['platform'],
  auth: ['platform'],
  platform: [],
};
const RESOURCE = ['http', 'documents'];

/**
 * The files of a folder, and what else they do not import, as patterns of paths.
 * @param {string} folder @param {string[]} files @param {string[]} others @param {string} message
 * @returns {import('eslint').Linter.Config}
 */
function imports(folder, files, others = [], message = '') {
  const floor = FLOORS.findIndex((folders) => folders.includes(folder));
  const above = FLOORS.slice(0, floor + 1)
    .flat()
    .filter((name) => name !== folder);
  const patterns = [
    { group: above.map((name) => `**/${name}/**`), message: `${folder}/ is below, or beside it.` },
    ...(others.length > 0 ? [{ group: others, message }] : []),
  ];
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

/**
 * The files of a folder of `functions/src`, and the folders beside it that they may import.
 * @param {string} name @param {string} files @param {string[]} below
 */
function room(name, files, below) {
  return imports(
    'functions',
    [files],
    ['../index.ts', '../*/*', ...below.map((folder) => `!../${folder}/*`)],
    `${name} only imports files at the root${below.map((folder) => ` and ${folder}/`).join('')}.`,
  );
}

export default defineConfig(
  {
    ignores: [
      'functions/lib/',
      '.hosting/',
      'packages/client/dist/',
      'packages/client/src/schema.ts',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: {
      globals: { Buffer: 'readonly', console: 'readonly', process: 'readonly', URL: 'readonly' },
    },
  },
  { files: ['**/*.cjs'], languageOptions: { globals: { __dirname: 'readonly' } } },
  {
    files: ['public/**/*.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      eqeqeq: 'error',
    },
  },
  ...FLOORS.flat()
    .filter((folder) => folder !== 'functions')
    .map((folder) => ({
      ...imports(folder, [folder === 'declared' ? 'functions/declared/**' : `${folder}/**`]),
      // The tests of a package may use the local stack, and what tests share.
      ignores: ['{packages,tools}/**/*.test.ts'],
    })),
  {
    files: ['{packages,tools}/**/*.test.ts', 'functions/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/test/*', '!**/test/support'],
              message: 'Tests beside the source only import test/support/ of test/.',
            },
          ],
        },
      ],
    },
  },
  {
    ...imports(
      'functions',
      ['functions/src/*.ts'],
      ['./index.ts', './*/*'],
      'Files at the root do not import from folders.',
    ),
    ignores: ['functions/src/index.ts'],
  },
  imports(
    'functions',
    ['functions/src/index.ts'],
    Object.keys(ROOMS).map((folder) => `./${folder}/*`),
    'The deploy map only imports endpoints.',
  ),
  ...Object.entries(ROOMS).map(([name, below]) =>
    room(`${name}/`, `functions/src/${name}/**`, below),
  ),
  {
    ...room('A resource', 'functions/src/*/**', RESOURCE),
    ignores: Object.keys(ROOMS).map((name) => `functions/src/${name}/**`),
  },
  {
    files: ['{functions,test,dev,demo,tools,packages}/**/*.test.ts'],
    extends: [jest.configs['flat/recommended']],
    rules: {
      // Helpers with assertions, so that the rule recognizes them.
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'refuses*'] }],
      'jest/no-disabled-tests': 'error',
      'jest/no-standalone-expect': 'off',
    },
  },
);
