/** Writes the types of the API, then compiles the client to `dist`, as an ES module and as CommonJS. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

const FOLDER = import.meta.dirname;
const ES_MODULE_FOLDER = join(FOLDER, 'dist/esm');
const COMMON_JS_FOLDER = join(FOLDER, 'dist/cjs');

const document = JSON.parse(
  readFileSync(join(FOLDER, '../../public/openapi.json'), 'utf8'),
) as OpenAPI3;
writeFileSync(join(FOLDER, 'src/schema.ts'), COMMENT_HEADER + (await renderSchema(document)));

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

/** Renders the types of the API. Comments are plain sentences, without tags for the description and the format. */
async function renderSchema(document: OpenAPI3): Promise<string> {
  // The default does not escape the path of the repository.
  const types = await openapiTS(document, { cwd: pathToFileURL(`${FOLDER}/`) });
  return astToString(declareSchemas(types))
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replaceAll('@description ', '')
    .replaceAll(/^ +\* Format: .*\n/gm, '');
}

/** Declares each of `components.schemas` as a type of its own: editors show its name, where they would show all of its fields. */
function declareSchemas(types: readonly ts.Node[]): ts.Node[] {
  const { factory } = ts;
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declarations: ts.Node[] = [];

  function visitComponents(node: ts.Node): ts.Node {
    if (isNamed(node, 'components')) return ts.visitEachChild(node, visitComponents, undefined);
    return isNamed(node, 'schemas') ? ts.visitEachChild(node, visitSchemas, undefined) : node;
  }

  function visitSchemas(node: ts.Node): ts.Node {
    if (ts.isTypeLiteralNode(node)) return ts.visitEachChild(node, visitSchemas, undefined);
    if (!ts.isPropertySignature(node) || !node.type || !ts.isIdentifier(node.name)) return node;
    const { name, type } = node;
    const declaration = factory.createTypeAliasDeclaration(exported, name, [], type);
    const comments = ts.getSyntheticLeadingComments(node);
    declarations.push(ts.setSyntheticLeadingComments(declaration, comments));
    const reference = factory.createTypeReferenceNode(name);
    return factory.updatePropertySignature(node, undefined, name, undefined, reference);
  }

  return [...types.map(visitComponents), ...declarations];
}

/** Returns whether a node declares an interface or a property of this name. */
function isNamed(node: ts.Node, name: string): boolean {
  return (
    (ts.isInterfaceDeclaration(node) || ts.isPropertySignature(node)) &&
    ts.isIdentifier(node.name) &&
    node.name.text === name
  );
}

function compileCommonJs(code: string): string {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

function fail(...problems: readonly ts.Diagnostic[]): never {
  console.error(ts.formatDiagnostics(problems, ts.createCompilerHost({})));
  process.exit(1);
}
