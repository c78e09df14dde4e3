/** What the service declares, for the programs and tests that derive something from it. */
import { functionsIn, type DeployedEndpoint } from '@tattoo-marketplace/endpoints';
import { declaredCollections, type AnyCollection } from '@tattoo-marketplace/collections';
import * as deployMap from './src/index.ts';

/** Its endpoints, and the ids of its other functions. */
export const { endpoints: deployedEndpoints, others: otherFunctions } = functionsIn(deployMap);

/** The endpoint of a function; throws if there is none. */
export function deployedEndpoint(functionId: string): DeployedEndpoint {
  const deployed = deployedEndpoints.find((each) => each.functionId === functionId);
  if (deployed === undefined) throw new Error(`functions/src/index.ts has no ${functionId}.`);
  return deployed;
}

/** The collections of its models, each once, by its path. */
export const COLLECTIONS = declaredCollections();

/** The paths of each, made once: every stored document is compared with them. */
const PATTERNS = COLLECTIONS.map(
  ({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
);

/** The collection of a document with this path: `conversations/abc/messages/def`. */
export function collectionOf(document: string): AnyCollection | undefined {
  const path = document.slice(0, document.lastIndexOf('/'));
  return COLLECTIONS.find((_each, index) => PATTERNS[index]?.test(path));
}
