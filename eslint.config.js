import js from '@eslint/js';
import boundaries from 'eslint-plugin-boundaries';
import jest from 'eslint-plugin-jest';
import perfectionist from 'eslint-plugin-perfectionist';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** The packages, and the packages that each may import. */
const PACKAGE_IMPORTS = {
  client: [],
  collections: ['endpoints', 'firestore-rest'],
  endpoints: [],
  'firestore-embedded': ['firestore-rest'],
  'firestore-rest': [],
};

/** The folders of `packages/endpoints/src`, and the folders beside it that each may import. */
const STAGE_IMPORTS = {
  request: ['auth', 'runtime', 'schemas', 'declaration'],
  response: ['runtime', 'schemas', 'declaration'],
  auth: ['runtime', 'schemas', 'declaration'],
  runtime: ['declaration'],
  schemas: ['declaration'],
  declaration: [],
};

const STAGES = 'packages/endpoints/src';

/** The parts of the repository, as patterns of folders. A file belongs to the first part that matches. */
const PARTS = [
  'test/support',
  'test',
  'tools',
  'examples',
  'dev',
  'demo',
  'functions/src/*',
  'functions',
  ...Object.keys(STAGE_IMPORTS).map((name) => `${STAGES}/${name}`),
  ...Object.keys(PACKAGE_IMPORTS).map((name) => `packages/${name}`),
];

/**
 * The layers from top to bottom. A file imports from its own part, Node.js, npm packages and `to`: parts, files, and packages by
 * their names. The last rule whose `from` matches the file decides; that of a file (`*.ts`) follows that of its part.
 */
const LAYERS = [
  {
    from: '{tools,examples}',
    to: ['test/support', 'dev', 'demo', 'functions/**', 'packages/**', '@tattoo-marketplace/*'],
  },
  {
    from: 'test{,/support}',
    to: [
      'test/support',
      'dev',
      'demo',
      'functions/**',
      'packages/**',
      '@tattoo-marketplace/*',
      'tools/checks/resources.ts',
    ],
  },
  { from: 'dev', to: ['demo', 'functions/**', 'packages/**', '@tattoo-marketplace/*'] },
  { from: 'demo', to: ['functions/**', 'packages/**', '@tattoo-marketplace/*'] },
  { from: 'functions', to: ['functions/src/*', '@tattoo-marketplace/*'] },
  { from: 'functions/src/!(index).ts', to: ['@tattoo-marketplace/*'] },
  {
    from: 'functions/src/*',
    to: ['functions/src/!(index).ts', '@tattoo-marketplace/*'],
    hint: "Its parent's model may be imported below the comment `// eslint-disable-next-line boundaries/dependencies -- The parent's model.`",
  },
  ...Object.entries(PACKAGE_IMPORTS).map(([name, below]) => ({
    from: `packages/${name}`,
    to: [name, ...below].map((other) => `@tattoo-marketplace/${other}`),
  })),
  { from: 'packages/endpoints', to: [`${STAGES}/*`] },
  ...Object.entries(STAGE_IMPORTS).map(([name, below]) => ({
    from: `${STAGES}/${name}`,
    to: below.map((other) => `${STAGES}/${other}`),
  })),
  // Tests may import more.
  {
    from: '{test,tools,examples,dev,demo,functions}/**/*.test.ts',
    to: ['**', '@tattoo-marketplace/*'],
  },
  {
    from: 'functions/src/*/*.test.ts',
    to: ['test/support', 'functions/src/!(index).ts', '@tattoo-marketplace/*'],
  },
  {
    from: 'packages/**/*.test.ts',
    to: ['test/support', 'dev', 'packages/**', '@tattoo-marketplace/*'],
  },
];

/** Selects files for a policy: a package by its name, a file (`*.ts`), or a part. @param {string} pattern */
function select(pattern) {
  if (pattern.startsWith('@')) return { module: { source: pattern } };
  return pattern.endsWith('.ts') ? { file: { path: pattern } } : { element: { type: pattern } };
}

/** A rule of `LAYERS` as policies: the last policy that matches an import decides. */
const LAYER_POLICIES = LAYERS.flatMap(({ from, to, hint = '' }) => [
  {
    from: select(from),
    disallow: { to: ['**', '@tattoo-marketplace/*'].map(select) },
    message: `${from} may import only ${[...to, 'its own part'].join(', ')}. ${hint}`.trim(),
  },
  ...(to.length > 0 ? [{ from: select(from), allow: { to: to.map(select) } }] : []),
]);

const REACT_NATIVE_POLICY = {
  from: select('packages/client/src/*.ts'),
  disallow: { to: { module: { source: '{firebase,react-dom}' } } },
  message: 'React Native has neither react-dom nor the Firebase SDK for browsers.',
};

/** The syntax that no TypeScript file may have. */
const SYNTAX_RESTRICTIONS = [
  { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
  {
    selector:
      ':matches(ObjectExpression, ArrayExpression, CallExpression) > SpreadElement > :matches(ObjectExpression, ArrayExpression).argument, JSXSpreadAttribute > ObjectExpression',
    message: 'Write the properties or items without a spread.',
  },
  {
    selector:
      ':matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration, ImportExpression) > Literal.source[value=/^\\.{1,2}\\u002F(?!.*\\.(tsx?|[cm]?js|json)$)/]',
    message: 'Write the extension: ./review.ts.',
  },
];

export default defineConfig(
  {
    ignores: [
      // Files to copy: tools/docs/extending.guide.test.ts lints them in their place.
      'examples/consents/',
      'examples/bookingRequests/',
      'examples/reviews/',
      '**/lib/',
      '.hosting/',
      '.worktrees/',
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
    plugins: { boundaries, perfectionist },
    settings: {
      'boundaries/elements': PARTS.map((type) => ({ type, pattern: type, partialMatch: false })),
      // npm installs some packages into the folder of a package.
      'boundaries/ignore': ['**/node_modules/**'],
      'boundaries/dependency-nodes': ['import', 'export', 'dynamic-import'],
      // Not resolved: they are imported by their names only.
      'boundaries/flag-as-external': { customSourcePatterns: ['@tattoo-marketplace/**'] },
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'allow',
          checkAllOrigins: true,
          policies: [...LAYER_POLICIES, REACT_NATIVE_POLICY],
        },
      ],
      'perfectionist/sort-imports': [
        'error',
        {
          // Inside a group, imports may stand in any order. An import of a side effect may stand anywhere.
          type: 'unsorted',
          groups: ['builtin', 'external', 'internal', ['subpath', 'parent', 'sibling', 'index']],
          internalPattern: ['^@tattoo-marketplace/'],
          newlinesBetween: 'ignore',
          newlinesInside: 'ignore',
        },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    // Jest loads the default exports of these files.
    ignores: ['test/support/jest/{*Setup,*Teardown,slowFilesFirst}.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...SYNTAX_RESTRICTIONS],
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
  {
    files: ['functions/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      // Bodies and stored values do not belong into the log.
      'no-console': 'error',
      'no-param-reassign': ['error', { props: true }],
      'no-restricted-syntax': [
        'error',
        ...SYNTAX_RESTRICTIONS,
        {
          selector:
            ":matches(NewExpression, CallExpression)[callee.name=/^((Type|Range)?Error|HttpsError)$/], ImportSpecifier[imported.name='HttpsError']",
          message:
            'Other errors become a 500. Throw a FieldError or a ServiceError of @tattoo-marketplace/endpoints (docs/extending.md#reject-a-request).',
        },
      ],
    },
  },
  {
    files: ['demo/app/**'],
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
