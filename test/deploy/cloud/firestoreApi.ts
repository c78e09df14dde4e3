import { failure, jsonOf, route, type Route } from './route.ts';

/** A stored index; its resource name includes its collection. */
export interface StoredIndex {
  readonly name: string;
  readonly queryScope: string;
  readonly fields: readonly { readonly fieldPath: string; readonly order?: string }[];
}

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
  readonly createTime: string;
  readonly source: { readonly files: readonly { readonly content: string }[] };
}

interface Release {
  readonly name: string;
  readonly rulesetName: string;
  readonly createTime: string;
}

const FIRESTORE = 'firestore.googleapis.com/v1';
const RULES = 'firebaserules.googleapis.com/v1';

/** The admin APIs of Firestore and of security rules. It does not compile the rules. */
export function firestoreApi(projectId: string): FirestoreApi {
  const databases = new Map<string, string>();
  const rulesets = new Map<string, Ruleset>();
  const releases = new Map<string, Release>();
  const indexes = new Map<string, StoredIndex>();
  const fields = new Map<string, object>();
  const parent = `projects/${projectId}`;
  let created = 0;

  const databaseName = (id = '') => `${parent}/databases/${id}`;
  const describe = (id: string) => ({
    name: databaseName(id),
    locationId: databases.get(id),
    type: 'FIRESTORE_NATIVE',
    databaseEdition: 'STANDARD',
  });
  const within = <Value>(entries: ReadonlyMap<string, Value>, id = ''): Value[] =>
    [...entries]
      .filter(([name]) => name.startsWith(`${databaseName(id)}/`))
      .map(([, value]) => value);

  const routes = [
    route(`GET ${FIRESTORE}/projects/{project}/databases/{database}`, ({ names }) =>
      databases.has(names.database ?? '')
        ? { body: describe(names.database ?? '') }
        : failure(404, 'NOT_FOUND', 'The database does not exist.'),
    ),
    route(`POST ${FIRESTORE}/projects/{project}/databases`, (call) => {
      const id = call.query.get('databaseId') ?? '';
      databases.set(id, (jsonOf(call) as { locationId: string }).locationId);
      return { body: { name: `${databaseName(id)}/operations/created`, response: describe(id) } };
    }),
    route(
      `GET ${FIRESTORE}/projects/{project}/databases/{database}/operations/created`,
      ({ names }) => {
        const { database = '' } = names;
        const name = `${databaseName(database)}/operations/created`;
        return { body: { name, done: true, response: describe(database) } };
      },
    ),
    route(
      `GET ${FIRESTORE}/projects/{project}/databases/{database}/collectionGroups/-/indexes`,
      ({ names }) => ({ body: { indexes: within(indexes, names.database) } }),
    ),
    route(
      `POST ${FIRESTORE}/projects/{project}/databases/{database}/collectionGroups/{group}/indexes`,
      (call) => {
        const { database, group = '' } = call.names;
        created += 1;
        const name = `${databaseName(database)}/collectionGroups/${group}/indexes/index-${created}`;
        const index = jsonOf(call) as StoredIndex;
        indexes.set(name, { ...index, name, fields: withName(index.fields) });
        return { body: { name: `${databaseName(database)}/operations/${created}` } };
      },
    ),
    route(
      `DELETE ${FIRESTORE}/projects/{project}/databases/{database}/collectionGroups/{group}/indexes/{index}`,
      ({ names }) => {
        const { database, group = '', index = '' } = names;
        indexes.delete(`${databaseName(database)}/collectionGroups/${group}/indexes/${index}`);
        return { body: {} };
      },
    ),
    route(
      `GET ${FIRESTORE}/projects/{project}/databases/{database}/collectionGroups/-/fields`,
      ({ names }) => ({ body: { fields: within(fields, names.database) } }),
    ),
    route(
      `PATCH ${FIRESTORE}/projects/{project}/databases/{database}/collectionGroups/{group}/fields/{field}`,
      (call) => {
        const { database, group = '', field = '' } = call.names;
        const name = `${databaseName(database)}/collectionGroups/${group}/fields/${field}`;
        const settings = jsonOf(call) as object;
        // Without settings a field has the database's own.
        if (Object.keys(settings).length === 0) fields.delete(name);
        else fields.set(name, { ...settings, name });
        return { body: { name: `${databaseName(database)}/operations/field` } };
      },
    ),

    route(`POST ${RULES}/projects/{project}:test`, () => ({ body: {} })),
    route(`POST ${RULES}/projects/{project}/rulesets`, (call) => {
      const name = `${parent}/rulesets/ruleset-${rulesets.size + 1}`;
      const ruleset = { ...(jsonOf(call) as Ruleset), name, createTime: new Date().toISOString() };
      rulesets.set(name, ruleset);
      return { body: ruleset };
    }),
    route(`GET ${RULES}/projects/{project}/rulesets/{ruleset}`, ({ names }) => {
      const ruleset = rulesets.get(`${parent}/rulesets/${names.ruleset ?? ''}`);
      return ruleset === undefined
        ? failure(404, 'NOT_FOUND', 'The ruleset does not exist.')
        : { body: ruleset };
    }),
    route(`GET ${RULES}/projects/{project}/releases`, () => ({
      body: { releases: [...releases.values()] },
    })),
    route(`POST ${RULES}/projects/{project}/releases`, (call) => {
      const release = { ...(jsonOf(call) as Release), createTime: new Date().toISOString() };
      releases.set(release.name, release);
      return { body: release };
    }),
    route(`PATCH ${RULES}/projects/{project}/releases/{release=**}`, (call) => {
      const before = releases.get(`${parent}/releases/${call.names.release ?? ''}`);
      if (before === undefined) return failure(404, 'NOT_FOUND', 'The release does not exist.');
      const release = { ...before, ...(jsonOf(call) as { release: Release }).release };
      releases.set(release.name, release);
      return { body: release };
    }),
  ];
  return {
    routes,
    databases,
    indexes,
    fields,
    rules: (release) => {
      const name = releases.get(`${parent}/releases/${release}`)?.rulesetName ?? '';
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
