import ts from 'typescript';

/** How a CommonJS declaration file names the types of an ES module. */
const SCHEMA_FROM_COMMON_JS = "'../schema.js' with { 'resolution-mode': 'import' }";

/** The client as CommonJS, for jest and older bundlers: the files of `public/client/cjs`, made of the ES module. */
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
