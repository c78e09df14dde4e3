/** The endpoints and collections of the service, for tools and tests. */
import { listFunctions, type DeployedEndpoint } from '@tattoo-marketplace/endpoints';
import { getDeclaredCollections } from '@tattoo-marketplace/collections';
import * as deployMap from './src/index.ts';

/** Its endpoints, and the ids of its other functions. */
export const { endpoints: deployedEndpoints, otherFunctionIds } = listFunctions(deployMap);

/** The endpoint of a function; throws if there is none. */
export function getDeployedEndpoint(functionId: string): DeployedEndpoint {
  const deployed = deployedEndpoints.find((each) => each.functionId === functionId);
  if (deployed === undefined) throw new Error(`functions/src/index.ts has no ${functionId}.`);
  return deployed;
}

/** The collections of its models, each once, by its path. */
export const COLLECTIONS = getDeclaredCollections();
