import js from '@eslint/js';
import jest from 'eslint-plugin-jest';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/**
 * The folders from top to bottom: a file imports nothing from above, nor from a folder beside its own. Each file is in only
 * one block with this rule, because the options in a later block replace those in an earlier one.
 */
const LAYERS = [['test', 'tools', 'examples'], ['dev'], ['demo'], ['functions'], ['packages']];

/** The packages, and those that each may import, by their names. */
const PACKAGES = {
  client: [],
  collections: ['endpoints', 'firestore-rest'],
  endpoints: ['firestore-rest'],
  'firestore-embedded': ['firestore-rest'],
  'firestore-rest': [],
};

/** The folders of `packages/endpoints/src`, and those beside it that each may import. */
const SUBLAYERS = {
  request: ['auth', 'schemas', 'runtime'],
  response: ['schemas', 'runtime'],
  auth: ['schemas', 'runtime'],
  runtime: ['schemas'],
  schemas: [],
};

/** The order of imports: modules of Node.js, npm packages, packages of this repository, files. */
const IMPORT_GROUPS = [
  /^node:/,
  /^(?![.#]|@tattoo-marketplace\/)/,
  /^@tattoo-marketplace\//,
  /^[.#]/,
];

/**
 * Requires `IMPORT_GROUPS`. An import without names has a side effect and may stand anywhere.
 * @type {import('eslint').Rule.RuleModule}
 */
const importOrder = {
  create: (context) => ({
    Program({ body }) {
      let highest = 0;
      for (const node of body) {
        if (node.type !== 'ImportDeclaration' || node.specifiers.length === 0) continue;
        const group = IMPORT_GROUPS.findIndex((pattern) => pattern.test(String(node.source.value)));
        const message = 'Order imports: node:, npm, @tattoo-marketplace/*, relative.';
        if (group < highest) context.report({ node, message });
        highest = Math.max(highest, group);
      }
    },
  }),
};

/**
 * The files of a folder, and what else they do not import, as patterns of paths.
 * @param {string} folder @param {string[]} files @param {string[]} others @param {string} message
 * @returns {import('eslint').Linter.Config}
 */
function imports(folder, files, others = [], message = '') {
  const layer = LAYERS.findIndex((folders) => folders.includes(folder));
  const above = LAYERS.slice(0, layer + 1)
    .flat()
    .filter((name) => name !== folder);
  const patterns = [
    {
      regex: `^(\\.\\./)+(${above.join('|')})/(?!support/)`,
      message: `${folder}/ is below, or beside it.`,
    },
    ...(others.length > 0 ? [{ group: others, message }] : []),
  ];
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

/**
 * The files of a package, and what they do not import besides other packages.
 * @param {string} name @param {string[]} files @param {string[]} others
 */
function packageImports(name, files, others = []) {
  const below = PACKAGES[/** @type {keyof typeof PACKAGES} */ (name)];
  const entryPoints = [name, ...below].map((each) => `@tattoo-marketplace/${each}`);
  return {
    ...imports(
      'packages',
      files,
      ['@tattoo-marketplace/*', ...entryPoints.map((name) => `!${name}`), ...others],
      `Allowed: the entryPoints of ${below.join(' and ') || 'no other package'}, and files of its own below.`,
    ),
    ignores: ['**/*.test.ts'],
  };
}

export default defineConfig(
  {
    ignores: [
      // Files to copy: tools/docs/extending.guide.test.ts lints them in their place.
      'examples/consents/',
      'examples/reviews/',
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
    plugins: { local: { rules: { 'import-order': importOrder } } },
    rules: { 'local/import-order': 'error' },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    // Jest calls the default exports of its global setup.
    ignores: ['test/support/processes/{startStack,stopStack}.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        {
          selector:
            ':matches(ObjectExpression, ArrayExpression, CallExpression) > SpreadElement > :matches(ObjectExpression, ArrayExpression).argument, JSXSpreadAttribute > ObjectExpression',
          message: 'Write the properties or items without a spread.',
        },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'typeLike', format: ['PascalCase'] },
        { selector: ['class', 'classMethod', 'typeMethod'], format: ['camelCase', 'PascalCase'] },
      ],
      eqeqeq: 'error',
    },
  },
  ...['test', 'tools', 'examples', 'dev', 'demo'].map((folder) => ({
    ...imports(folder, [`${folder}/**`]),
    // They use what the tests of the service share.
    ignores: ['**/*.test.ts', 'test/support/**'],
  })),
  {
    files: ['demo/app/**', 'packages/client/react/**'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      // Event handlers may be async, and handlers of one expression need no braces.
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false } },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['packages/**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(\\.\\./)+(test|tools|demo|functions)/(?!support/)',
              message: 'No package imports the service, nor its tests.',
            },
          ],
        },
      ],
    },
  },
  ...Object.keys(PACKAGES).map((name) =>
    packageImports(name, [`packages/${name}/**`], ['../../*', '../../../*']),
  ),
  // React Native has neither of these packages, and apps copy this folder alone.
  packageImports('client', ['packages/client/react/**'], ['../*', 'firebase/*', 'react-dom']),
  ...Object.entries(SUBLAYERS).map(([name, below]) =>
    packageImports(
      'endpoints',
      [`packages/endpoints/src/${name}/**`],
      ['../*/*', ...below.map((folder) => `!../${folder}/*`)],
    ),
  ),
  packageImports(
    'endpoints',
    ['packages/endpoints/src/{defineParameter,errors,parameters}.ts'],
    ['./*/*'],
  ),
  { ...imports('functions', ['functions/*.ts']), ignores: ['**/*.test.ts'] },
  imports(
    'functions',
    ['functions/src/*/**'],
    ['../index.ts', '../*/*'],
    "A resource imports no other: only packages, and files beside its folder. Its parent's model may be imported below the comment `// eslint-disable-next-line no-restricted-imports -- The parent's model.`",
  ),
  imports(
    'functions',
    ['functions/src/parameters.ts'],
    ['./*/*'],
    'Files at the root do not import from folders.',
  ),
  {
    files: ['{functions,test,dev,demo,tools,packages}/**/*.test.ts'],
    extends: [jest.configs['flat/recommended']],
    rules: {
      // Helpers with assertions, so that the rule recognizes them.
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*'] }],
      'jest/no-disabled-tests': 'error',
      'jest/no-standalone-expect': 'off',
    },
  },
);
