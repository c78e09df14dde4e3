import { toCloudRunServiceName } from '@tattoo-marketplace/endpoints';
import { endpoints } from '../../functions/service.ts';

/** The alerts that watch functions. */
export const ALERTS = ['failures', 'latency', 'refusals'].map(
  (name) => `monitoring/alerts/${name}.json`,
);

/** In JSON, the Cloud Run services whose name starts with one of these groups: `\"(artists|flash)-.*\"`. */
const SERVICES = /(\\"\()[^"\\]*(\)-\.\*\\")/g;

/** The file of an alert, which watches the functions of these groups, and no others of the project. */
export function replaceServiceFilter(
  file: string,
  groups: readonly string[] = endpoints.map(({ group }) => group),
): string {
  const names = new Set(groups.map(toCloudRunServiceName));
  return file.replace(SERVICES, `$1${[...names].sort().join('|')}$2`);
}
