import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** Where the client's package is. */
export const CLIENT = 'public/client';

/** How a CommonJS declaration file names the types of an ES module. */
const SCHEMA_FROM_COMMON_JS = "'../schema.js' with { 'resolution-mode': 'import' }";

/** The client as CommonJS, for jest and older bundlers: the files of `public/client/cjs`, made of the ES module. */
export async function commonJsFiles(root: string): Promise<Readonly<Record<string, string>>> {
  const [code, types] = await Promise.all(
    ['index.js', 'index.d.ts'].map((name) => readFile(join(root, CLIENT, name), 'utf8')),
  );
  const { outputText } = ts.transpileModule(code ?? '', {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  return {
    'cjs/package.json': `${JSON.stringify({ type: 'commonjs' })}\n`,
    'cjs/index.js': outputText,
    'cjs/index.d.ts': (types ?? '').replaceAll("'./schema.js'", SCHEMA_FROM_COMMON_JS),
  };
}
