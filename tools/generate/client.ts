/** The generated part of the published client, `packages/client`. */
import { deployedEndpoints } from '../../functions/service.ts';

/** `packages/client/src/operations.ts`: the operations of the service. */
export function clientOperations(): string {
  const groups = [...Map.groupBy(deployedEndpoints, ({ group }) => group)];
  const operations = groups.map(([group, endpoints]) => {
    const calls = endpoints.map(({ name, endpoint: { declaration } }) => {
      const { method, path, access, idempotent, createsDocument, summary } = declaration;
      const operation = {
        method,
        path,
        access: access === 'signedIn' ? access : undefined,
        retry: idempotent === false ? 'unsafe' : createsDocument && 'idempotency-key',
      };
      return `/** ${summary}. */\n${name}: ${JSON.stringify(operation)},`;
    });
    return `${group}: {\n${calls.join('\n')}\n},`;
  });
  return `/** The operations of the API. Written by \`npm run generate\`. */
export const OPERATIONS = {\n${operations.join('\n')}\n} as const;\n`;
}
