/** The endpoints and collections of the service, for tools and tests. */
import { getDeclaredCollections } from '@tattoo-marketplace/collections';
import { listFunctions, type DeployedEndpoint } from '@tattoo-marketplace/endpoints';
import * as deployMap from './src/index.ts';

/** The endpoints, and the IDs of the other functions. */
export const { endpoints, unknownPathId, otherFunctionIds } = listFunctions(deployMap);

/** The IDs of all functions. */
export const functionIds: readonly string[] = [
  ...endpoints.map(({ functionId }) => functionId),
  ...(unknownPathId === undefined ? [] : [unknownPathId]),
  ...otherFunctionIds,
];

/** Returns the endpoint of a function. Throws if there is none. */
export function getEndpoint(functionId: string): DeployedEndpoint {
  const deployed = endpoints.find((endpoint) => endpoint.functionId === functionId);
  if (deployed === undefined) throw new Error(`functions/src/index.ts has no ${functionId}.`);
  return deployed;
}

/** The collections of the endpoints' models. */
export const COLLECTIONS = getDeclaredCollections();
