/** The generated part of the published client: packages/client/src/operations.ts. */
import type { EndpointDeclaration } from '@tattoo-marketplace/endpoints';
import { endpoints } from '../../functions/service.ts';

/** Renders the operations of the client. Their comments are those of its methods. */
export function renderClientOperations(): string {
  const groups = [...Map.groupBy(endpoints, ({ group }) => group)].map(([group, endpoints]) => {
    const operations = endpoints.map(({ name, endpoint: { declaration } }) => {
      assertSendable(declaration);
      const { method, path, access, idempotent, createsDocument, summary } = declaration;
      const operation = {
        method,
        path,
        access: access === 'signedIn' ? access : undefined,
        retry: idempotent === false ? 'unsafe' : createsDocument && 'idempotency-key',
      };
      return `/** ${summary.replaceAll('*/', '*\\/')}. */\n${name}: ${JSON.stringify(operation)},`;
    });
    return `${group}: {\n${operations.join('\n')}\n},`;
  });
  return `/** The operations of the API. Written by \`npm run generate\`. */
export const OPERATIONS = {
${groups.join('\n')}
} as const;
`;
}

/** Throws if the client cannot send each input of an endpoint: an input has one field for each name. */
export function assertSendable(
  declaration: Pick<EndpointDeclaration, 'method' | 'path' | 'params' | 'query' | 'body'>,
): void {
  const { method, path, params, query, body } = declaration;
  if (method !== 'GET' && query !== undefined) {
    throw new Error(
      `${method} ${path}: the client sends a query only with GET. Declare the fields of query in body.`,
    );
  }
  const others = { ...query?.shape, ...body?.shape };
  const repeated = Object.keys(params?.shape ?? {}).find((name) => name in others);
  if (repeated === undefined) return;
  throw new Error(
    `${method} ${path}: params and ${query ? 'query' : 'body'} both have ${repeated}, but the client's input has one field of each name. Rename one.`,
  );
}
