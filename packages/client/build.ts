/** Writes the types of the API, then compiles the client to `dist`, as an ES module and as CommonJS. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

const FOLDER = import.meta.dirname;
const ES_MODULE_FOLDER = join(FOLDER, 'dist/esm');
const COMMON_JS_FOLDER = join(FOLDER, 'dist/cjs');

const document = readFileSync(join(FOLDER, '../../public/openapi.json'), 'utf8');
const schema = astToString(await openapiTS(JSON.parse(document) as OpenAPI3));
writeFileSync(join(FOLDER, 'src/schema.ts'), COMMENT_HEADER + schema);

rmSync(join(FOLDER, 'dist'), { recursive: true, force: true });
for (const folder of [ES_MODULE_FOLDER, COMMON_JS_FOLDER]) mkdirSync(folder, { recursive: true });
const config = ts.getParsedCommandLineOfConfigFile(join(FOLDER, 'tsconfig.json'), undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: fail,
});
const program = ts.createProgram(config?.fileNames ?? [], config?.options ?? {});
const problems = ts.getPreEmitDiagnostics(program);
if (problems.length > 0) fail(...problems);
program.emit(undefined, (path, code) => {
  const name = basename(path);
  writeFileSync(join(ES_MODULE_FOLDER, name), code);
  // Both formats have the same types.
  const commonJsCode = name.endsWith('.js') ? compileCommonJs(code) : code;
  writeFileSync(join(COMMON_JS_FOLDER, name), commonJsCode);
});
writeFileSync(join(COMMON_JS_FOLDER, 'package.json'), '{ "type": "commonjs" }\n');

function compileCommonJs(code: string): string {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

function fail(...problems: readonly ts.Diagnostic[]): never {
  console.error(ts.formatDiagnostics(problems, ts.createCompilerHost({})));
  process.exit(1);
}
