/** The generated parts of the published client, `packages/client`. */
import ts from 'typescript';
import { deployedEndpoints, type DeployedEndpoint } from '../../functions/declared/deployMap.ts';
import { withPart } from '../docs/generatedPart.ts';

/** The lines around the generated part of a client file. */
const [START, END] = ['// Written by `npm run generate`, from here …', '// … to here.'] as const;

/** `packages/client/index.js` with the operations of the service. */
export function withOperations(file: string): string {
  const operations = groups().map(([group, endpoints]) => {
    const calls = endpoints.map(({ name, endpoint: { declaration } }) => {
      const { method, path, access, isOnce } = declaration;
      const call = [
        ...[method, path, ...(access === 'signedIn' ? [access] : [])],
        ...(isOnce ? ['once'] : []),
      ];
      return `${name}: ${JSON.stringify(call)},`;
    });
    return `${group}: {\n${calls.join('\n')}\n},`;
  });
  return withPart(file, START, END, `\nconst OPERATIONS = {\n${operations.join('\n')}\n};\n`);
}

/** `packages/client/index.d.ts` with the types of these operations. */
export function withOperationTypes(file: string): string {
  const operations = groups().map(([group, endpoints]) => {
    const calls = endpoints.flatMap(({ name, operationId, endpoint }) => [
      `/** ${endpoint.declaration.summary}. */`,
      `readonly ${name}: Call<'${operationId}'>;`,
    ]);
    return `readonly ${group}: {\n${calls.join('\n')}\n};`;
  });
  return withPart(
    file,
    START,
    END,
    `\nexport interface MarketplaceClient {\n${operations.join('\n')}\n}\n`,
  );
}

function groups(): [string, DeployedEndpoint[]][] {
  return [...Map.groupBy(deployedEndpoints, ({ group }) => group)];
}

/** How a CommonJS declaration file refers to the types of an ES module. */
const SCHEMA_FROM_COMMON_JS = "'../schema.js' with { 'resolution-mode': 'import' }";

/** The files of `packages/client/cjs`, generated from the ES module for jest and older bundlers. */
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
