import ts from 'typescript';

/** How a CommonJS declaration file refers to the types of an ES module. */
const SCHEMA_FROM_COMMON_JS = "'../schema.js' with { 'resolution-mode': 'import' }";

/** The files of `public/client/cjs`, generated from the ES module for jest and older bundlers. */
export function commonJsFiles(code: string, types: string): Readonly<Record<string, string>> {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  return {
    'cjs/package.json': `${JSON.stringify({ type: 'commonjs' })}\n`,
    'cjs/index.js': outputText,
    'cjs/index.d.ts': types.replaceAll("'./schema.js'", SCHEMA_FROM_COMMON_JS),
  };
}
