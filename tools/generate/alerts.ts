import { toCloudRunServiceName } from '@tattoo-marketplace/endpoints';
import { endpoints, otherFunctionIds } from '../../functions/service.ts';

/** The alerts that watch functions. */
export const ALERTS = ['failures', 'latency', 'tooManyRequests'].map(
  (name) => `monitoring/alerts/${name}.json`,
);

/** In JSON, the names of Cloud Run services as a regular expression: `\"(artists-list|flash-reorder)\"`. */
const SERVICE_FILTER = /(\\"\()[^"\\]*(\)\\")/g;

/**
 * Updates the text of an alert: it watches the services of these functions. The names are exact, because a project may have
 * services of other owners.
 */
export function replaceServiceFilter(
  text: string,
  functionIds: readonly string[] = [
    ...endpoints.map(({ functionId }) => functionId),
    ...otherFunctionIds,
  ],
): string {
  const services = functionIds.map(toCloudRunServiceName).sort().join('|');
  return text.replace(SERVICE_FILTER, `$1${services}$2`);
}
