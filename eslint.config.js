import js from '@eslint/js';
import jest from 'eslint-plugin-jest';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/**
 * The imports that files of a folder may not have, as patterns of paths. Imports only run downward: from `index.ts` to
 * the resources, from these to `http/` and `documents/`, which do not import each other, from `http/` to `auth/`, and
 * from there to `platform/` and the files at the root.
 * @param {string[]} files @param {string[]} group @param {string} message
 */
function imports(files, group, message) {
  const patterns = [{ group, message }];
  return { files, rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] } };
}

/** The folders of `functions/src` that are no resources, and those that each may import. */
const ROOMS = {
  http: ['auth', 'platform'],
  documents: ['platform'],
  auth: ['platform'],
  platform: [],
};

export default defineConfig(
  {
    ignores: [
      'functions/lib/',
      'public/vendor/',
      'public/client/cjs/',
      'public/client/schema.d.ts',
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
  imports(['functions/src/*.ts'], ['./*/*'], 'Files at the root do not import from folders.'),
  imports(
    ['functions/src/index.ts'],
    ['./http/*', './documents/*', './auth/*', './platform/*'],
    'The deploy map only imports endpoints.',
  ),
  ...Object.entries(ROOMS).map(([room, below]) =>
    imports(
      [`functions/src/${room}/**`],
      ['../*/*', ...below.map((name) => `!../${name}/*`)],
      `${room}/ only imports files at the root${below.map((name) => ` and ${name}/`).join('')}.`,
    ),
  ),
  {
    ...imports(
      ['functions/src/*/*.ts'],
      ['../*/*', '!../http/*', '!../documents/*'],
      'A resource only imports http/, documents/ and files at the root.',
    ),
    ignores: Object.keys(ROOMS).map((room) => `functions/src/${room}/**`),
  },
  {
    ...imports(
      ['packages/**'],
      ['**/functions/**', '**/dev/**', '**/tools/**', '**/test/**'],
      'A package knows nothing of the service.',
    ),
    ignores: ['packages/**/*.test.ts'],
  },
  imports(
    ['functions/src/**'],
    ['**/dev/**', '**/tools/**', '**/test/**'],
    'The deployed source imports no local tools.',
  ),
  {
    ...imports(['dev/**/*.ts'], ['**/tools/**', '**/test/**'], 'The local stack imports no tools.'),
    ignores: ['dev/**/*.test.ts'],
  },
  {
    ...imports(['tools/**/*.ts'], ['**/test/**'], 'A tool does not import tests.'),
    ignores: ['tools/**/*.test.ts'],
  },
  imports(['test/**/*.ts'], ['**/tools/**'], 'A test of the service imports no tools.'),
  {
    files: ['{test,dev,tools,packages}/**/*.test.ts'],
    extends: [jest.configs['flat/recommended']],
    rules: {
      // Helpers with assertions, so that the rule recognizes them.
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'refuses*'] }],
      'jest/no-disabled-tests': 'error',
      'jest/no-standalone-expect': 'off',
    },
  },
);
