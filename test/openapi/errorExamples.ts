import type * as z from 'zod';
import { exampleOf, type DeployedEndpoint } from '../support/deployMap.ts';

/** What an endpoint says of a document that is missing, or another's, where that is a sentence of its own. */
const OWN_SENTENCES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'conversations-getMessages': { 403: 'You are not a participant of this conversation.' },
  'notifications-resetNewNotifications': { 404: 'There is no profile for this account.' },
};

/**
 * A message that this endpoint sends with an error of this status, where it depends on the endpoint; undefined elsewhere.
 * A test compares each with what the service says.
 */
export function ownErrorExample(deployed: DeployedEndpoint, status: number): string | undefined {
  const { method, params, errors } = deployed.endpoint.declaration;
  const own = OWN_SENTENCES[deployed.functionId]?.[status];
  if (own !== undefined) return own;
  switch (status) {
    case 400:
      return invalid(deployed);
    case 403:
      // Elsewhere it can only be App Check.
      return (
        errors['permission-denied'] && `${idField(deployed)} names a document that is not yours.`
      );
    case 404:
      return params === undefined
        ? `${idField(deployed)} names a document that does not exist.`
        : 'There is no endpoint at this path.';
    case 405:
      return `This endpoint only accepts ${method}.`;
    default:
      return undefined;
  }
}

/** The first fault of an empty body, of a page of 0 elements, or of a query `?%`. */
function invalid({ endpoint }: DeployedEndpoint): string {
  const { body, query } = endpoint.declaration;
  const [field] = Object.keys(body?.shape ?? {});
  if (field !== undefined) return `${field} is required.`;
  const limit = query?.shape.limit as z.ZodType | undefined;
  const maximum = (limit?.meta()?.override as { maximum?: number } | undefined)?.maximum;
  return maximum === undefined
    ? 'The query has a malformed percent-escape.'
    : `limit must be an integer from 1 to ${maximum}.`;
}

/** The field in which the example request names a document, as the service's messages write it: `flashUpdates[0].id`. */
function idField(deployed: DeployedEndpoint): string {
  const { body, query } = exampleOf(deployed);
  for (const [name, value] of Object.entries({ ...query, ...body })) {
    if (/^id$|Id$/.test(name) && name !== 'artistId') return name;
    if (!Array.isArray(value)) continue;
    return typeof value[0] === 'string' ? `${name}[0]` : `${name}[0].id`;
  }
  throw new Error(`The example of ${deployed.functionId} names no document.`);
}
