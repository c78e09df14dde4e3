import { deployedEndpoints, type DeployedEndpoint } from '../support/deployMap.ts';

/** The lines around the generated part of a client file. */
const [START, END] = ['// Written by `npm run openapi`, from here …', '// … to here.'] as const;

/** `public/client/index.js` with the operations of the service. */
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
  return replaced(file, `const OPERATIONS = {\n${operations.join('\n')}\n};`);
}

/** `public/client/index.d.ts` with the types of these operations. */
export function withOperationTypes(file: string): string {
  const operations = groups().map(([group, endpoints]) => {
    const calls = endpoints.flatMap(({ name, operationId, endpoint }) => [
      `/** ${endpoint.declaration.summary}. */`,
      `readonly ${name}: Call<'${operationId}'>;`,
    ]);
    return `readonly ${group}: {\n${calls.join('\n')}\n};`;
  });
  return replaced(file, `export interface MarketplaceClient {\n${operations.join('\n')}\n}`);
}

function groups(): [string, DeployedEndpoint[]][] {
  return [...Map.groupBy(deployedEndpoints, ({ group }) => group)];
}

function replaced(file: string, text: string): string {
  const start = file.indexOf(START);
  const end = file.indexOf(END);
  if (start < 0 || end < start)
    throw new Error(`The client lacks the lines "${START}" and "${END}".`);
  return `${file.slice(0, start + START.length)}\n${text}\n${file.slice(end)}`;
}
