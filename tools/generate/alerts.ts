import { deployedEndpoints } from '../../functions/declared/deployMap.ts';

/** The alerts that watch functions. */
export const ALERTS = ['failures', 'latency'].map((name) => `functions/alerts/${name}.json`);

/** In JSON, the Cloud Run services whose name starts with one of these groups: `\"(artists|flash)-.*\"`. */
const SERVICES = /(service_name=monitoring\.regex\.full_match\(\\"\()[^"\\]*(\)-\.\*\\"\))/g;

/** The file of an alert, which watches the functions of the service, and no others of the project. */
export function withGroups(file: string): string {
  if (file.search(SERVICES) < 0) throw new Error(`An alert has no filter like ${SERVICES.source}.`);
  // The names of services are in lower case.
  const groups = new Set(deployedEndpoints.map(({ group }) => group.toLowerCase()));
  return file.replace(SERVICES, `$1${[...groups].sort().join('|')}$2`);
}
