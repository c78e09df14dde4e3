import { basename } from 'node:path';
import type { StoredIndex } from '../resources.ts';
import { Failure, found, jsonOf, route, type Route } from './route.ts';

/** The deployed state of Firestore: database, rules and indexes. */
export interface FirestoreApi {
  readonly routes: readonly Route[];
  /** The locations of the databases by id: `(default)`. */
  readonly databases: Map<string, string>;
  /** The text of the active rules by name of the release: `cloud.firestore`. */
  rules(release: string): string | undefined;
  readonly indexes: ReadonlyMap<string, StoredIndex>;
  /** Settings of single fields by name of the field. */
  readonly fields: ReadonlyMap<string, object>;
}

interface Ruleset {
  readonly name: string;
  readonly source: { readonly files: readonly { readonly content: string }[] };
}

interface Release {
  readonly name: string;
  readonly rulesetName: string;
}

const DATABASES = 'firestore.googleapis.com/v1/projects/*/databases';
const GROUPS = `${DATABASES}/*/collectionGroups`;
const RULES = 'firebaserules.googleapis.com/v1/projects/*';

/** The admin APIs of Firestore and of security rules. It does not compile the rules. */
export function firestoreApi(projectId: string): FirestoreApi {
  const databases = new Map<string, string>();
  const rulesets = new Map<string, Ruleset>();
  const releases = new Map<string, Release>();
  const indexes = new Map<string, StoredIndex>();
  const fields = new Map<string, object>();
  let created = 0;

  function describe(name: string): object {
    const locationId = databases.get(basename(name));
    if (locationId === undefined) throw new Failure(404, 'NOT_FOUND', `${name} does not exist.`);
    return { name, locationId, type: 'FIRESTORE_NATIVE', databaseEdition: 'STANDARD' };
  }

  /** The resources in all collections of a list's database. */
  function within<Value>(entries: ReadonlyMap<string, Value>, list: string): Value[] {
    const [parent = ''] = list.split('/-/');
    return [...entries].flatMap(([name, value]) => (name.startsWith(`${parent}/`) ? [value] : []));
  }

  const withTime = <Stored extends object>(stored: Stored) => ({
    ...stored,
    createTime: new Date().toISOString(),
  });

  const routes = [
    route(`GET ${DATABASES}/*`, ({ name }) => describe(name)),
    route(`POST ${DATABASES}`, (call) => {
      const name = `${call.name}/${call.query.get('databaseId') ?? ''}`;
      databases.set(basename(name), (jsonOf(call) as { locationId: string }).locationId);
      return { name: `${name}/operations/created`, response: describe(name) };
    }),
    route(`GET ${DATABASES}/*/operations/created`, ({ name }) => {
      const [database = ''] = name.split('/operations/');
      return { name, done: true, response: describe(database) };
    }),
    route(`GET ${GROUPS}/-/indexes`, ({ name }) => ({ indexes: within(indexes, name) })),
    route(`POST ${GROUPS}/*/indexes`, (call) => {
      created += 1;
      const name = `${call.name}/index-${created}`;
      const index = jsonOf(call) as StoredIndex;
      indexes.set(name, { ...index, name, fields: withName(index.fields) });
      return { name: `${name}/operations/created` };
    }),
    route(`DELETE ${GROUPS}/*/indexes/*`, ({ name }) => {
      indexes.delete(name);
      return {};
    }),
    route(`GET ${GROUPS}/-/fields`, ({ name }) => ({ fields: within(fields, name) })),
    route(`PATCH ${GROUPS}/*/fields/*`, (call) => {
      const settings = jsonOf(call) as object;
      // Without settings a field has the database's own.
      if (Object.keys(settings).length === 0) fields.delete(call.name);
      else fields.set(call.name, { ...settings, name: call.name });
      return { name: `${call.name}/operations/changed` };
    }),

    route(`POST ${RULES}:test`, () => ({})),
    route(`POST ${RULES}/rulesets`, (call) => {
      const name = `${call.name}/ruleset-${rulesets.size + 1}`;
      rulesets.set(name, withTime({ ...(jsonOf(call) as Ruleset), name }));
      return found(rulesets, name);
    }),
    route(`GET ${RULES}/rulesets/*`, ({ name }) => found(rulesets, name)),
    route(`GET ${RULES}/releases`, () => ({ releases: [...releases.values()] })),
    route(`POST ${RULES}/releases`, (call) => {
      const release = withTime(jsonOf(call) as Release);
      releases.set(release.name, release);
      return release;
    }),
    route(`PATCH ${RULES}/releases/**`, (call) => {
      const { release } = jsonOf(call) as { release: Release };
      releases.set(call.name, { ...found(releases, call.name), ...release });
      return found(releases, call.name);
    }),
  ];
  return {
    routes,
    databases,
    indexes,
    fields,
    rules: (release) => {
      const name = releases.get(`projects/${projectId}/releases/${release}`)?.rulesetName ?? '';
      return rulesets.get(name)?.source.files[0]?.content;
    },
  };
}

/** Like Firestore, adds the document id to the end of an index, in the order of the field before it. */
function withName(fields: StoredIndex['fields']): StoredIndex['fields'] {
  const last = fields.at(-1);
  if (last === undefined || last.fieldPath === '__name__') return fields;
  return [...fields, { fieldPath: '__name__', order: last.order ?? 'ASCENDING' }];
}
