import type * as z from 'zod';
import { exampleOf, type DeployedEndpoint } from '../support/deployMap.ts';

/** Endpoint-specific messages about a missing document or another user's document. */
const OWN_SENTENCES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'conversations-getMessages': { 403: 'You are not a participant of this conversation.' },
  'notifications-resetNewNotifications': { 404: 'There is no profile for this account.' },
};

/**
 * The endpoint-specific message of an error with this status; undefined if all endpoints send the same one. A test
 * compares each with the service.
 */
export function ownErrorExample(deployed: DeployedEndpoint, status: number): string | undefined {
  const { method, params, errors } = deployed.endpoint.declaration;
  const own = OWN_SENTENCES[deployed.functionId]?.[status];
  if (own !== undefined) return own;
  switch (status) {
    case 400:
      return invalid(deployed);
    case 403:
      // For other endpoints, only App Check causes this status.
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

/** The first error in an empty body, in a page of 0 elements, or in an empty query. */
function invalid({ endpoint }: DeployedEndpoint): string | undefined {
  const { body, query } = endpoint.declaration;
  const limit = query?.shape.limit as z.ZodType | undefined;
  const maximum = (limit?.meta()?.override as { maximum?: number } | undefined)?.maximum;
  if (!body && maximum !== undefined) return `limit must be an integer from 1 to ${maximum}.`;
  const [field] = Object.keys((body ?? query)?.shape ?? {});
  return field && `${field} is required.`;
}

/** The field in which the example request names a document, as in error messages: `flashUpdates[0].id`. */
function idField(deployed: DeployedEndpoint): string {
  const { body, query } = exampleOf(deployed);
  for (const [name, value] of Object.entries({ ...query, ...body })) {
    if (/^id$|Id$/.test(name) && name !== 'artistId') return name;
    if (!Array.isArray(value)) continue;
    return typeof value[0] === 'string' ? `${name}[0]` : `${name}[0].id`;
  }
  throw new Error(`The example of ${deployed.functionId} does not name a document.`);
}
