import type { Usage } from './usage.ts';

/** The data of a document: JSON, dates as timestamps, and values in Firestore's own form. */
export type Data = Readonly<Record<string, unknown>>;

/** A value that has no plain form in JavaScript, such as a geo point, in the form of the REST API. */
export class FirestoreValue {
  readonly json: Readonly<Record<string, unknown>>;

  constructor(json: Readonly<Record<string, unknown>>) {
    this.json = json;
  }
}

/** Documents in a local Firestore, embedded or Google's, with administrator rights; paths are below the database. */
export class Store {
  readonly #origin: string;
  readonly #project: string;
  readonly #root: string;

  /** `host` is `host:port`. */
  constructor(host: string, projectId: string) {
    this.#origin = `http://${host}`;
    this.#project = projectId;
    this.#root = `projects/${projectId}/databases/(default)/documents`;
  }

  /** The data of a document; undefined if it does not exist. */
  async get(path: string): Promise<Data | undefined> {
    return (await this.getAll([path]))[0];
  }

  async getAll(paths: readonly string[]): Promise<(Data | undefined)[]> {
    const documents = paths.map((path) => this.nameOf(path));
    const found = (await this.#call(':batchGet', { documents })) as { found?: StoredDocument }[];
    const stored = new Map(found.map((each) => [each.found?.name, each.found]));
    return documents.map((name) => {
      const document = stored.get(name);
      return document && dataOf(document);
    });
  }

  /** The documents of a collection by path, ordered by id. */
  async list(collection: string): Promise<Map<string, Data>> {
    const all = new Map<string, Data>();
    const path = collection.split('/').map(encodeURIComponent).join('/');
    let token: string | undefined = '';
    while (token !== undefined) {
      const from = token && `&pageToken=${encodeURIComponent(token)}`;
      const page = (await this.#call(`/${path}?pageSize=300${from}`)) as Page;
      for (const each of page.documents ?? []) all.set(this.#pathOf(each), dataOf(each));
      token = page.nextPageToken;
    }
    return all;
  }

  /** All documents of the database by path. */
  async everything(): Promise<Map<string, Data>> {
    const structuredQuery = { from: [{ allDescendants: true }] };
    const found = (await this.#call(':runQuery', { structuredQuery })) as {
      document?: StoredDocument;
    }[];
    return new Map(
      found.flatMap(({ document }) =>
        document ? [[this.#pathOf(document), dataOf(document)] as const] : [],
      ),
    );
  }

  async set(path: string, data: Data): Promise<void> {
    await this.setAll([[path, data]]);
  }

  /** Stores documents, as many as fit in a commit at a time. */
  async setAll(documents: Iterable<readonly [path: string, data: Data]>): Promise<void> {
    const writes = [...documents].map(([path, data]) => ({
      update: { name: this.nameOf(path), fields: fieldsOf(data) },
    }));
    while (writes.length > 0) await this.#commit(writes.splice(0, WRITES));
  }

  /** Stores documents of one collection by id. */
  async setIn(collection: string, documents: Readonly<Record<string, Data>>): Promise<void> {
    await this.setAll(Object.entries(documents).map(([id, data]) => [`${collection}/${id}`, data]));
  }

  /** Replaces fields of a document, which must exist. */
  async update(path: string, data: Data): Promise<void> {
    await this.#commit([
      {
        update: { name: this.nameOf(path), fields: fieldsOf(data) },
        updateMask: { fieldPaths: Object.keys(data) },
        currentDocument: { exists: true },
      },
    ]);
  }

  async delete(path: string): Promise<void> {
    await this.#commit([{ delete: this.nameOf(path) }]);
  }

  /** What the project has used; only the embedded Firestore knows. */
  async usage(): Promise<Usage> {
    return (await json(fetch(`${this.#origin}/usage/${this.#project}`))) as Usage;
  }

  /** The full name of a document, as references have it. */
  nameOf(path: string): string {
    return `${this.#root}/${path}`;
  }

  #pathOf({ name }: StoredDocument): string {
    return name.slice(this.#root.length + 1);
  }

  async #commit(writes: readonly object[]): Promise<void> {
    await this.#call(':commit', { writes });
  }

  async #call(path: string, body?: object): Promise<unknown> {
    const headers = { Authorization: 'Bearer owner', 'Content-Type': 'application/json' };
    const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    return json(fetch(`${this.#origin}/v1/${this.#root}${path}`, request));
  }
}

/** Far below the limit of a request, 10 MiB. */
const WRITES = 400;

interface StoredDocument {
  readonly name: string;
  readonly fields?: Readonly<Record<string, RestValue>>;
}

interface Page {
  readonly documents?: readonly StoredDocument[];
  readonly nextPageToken?: string;
}

type RestValue = Readonly<Record<string, unknown>>;

async function json(sent: Promise<Response>): Promise<unknown> {
  const response = await sent;
  if (!response.ok)
    throw new Error(`Firestore responded ${response.status}: ${await response.text()}`);
  return response.json();
}

function dataOf({ fields = {} }: StoredDocument): Data {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, fromValue(value)]),
  );
}

function fieldsOf(data: object): Record<string, RestValue> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, toValue(value)]));
}

function toValue(value: unknown): RestValue {
  if (value === null) return { nullValue: null };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { booleanValue: value };
  if (typeof value === 'number') return numberValue(value);
  if (value instanceof FirestoreValue) return value.json;
  if (value instanceof Date) return { timestampValue: value.toISOString() };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toValue) } };
  if (typeof value === 'object') return { mapValue: { fields: fieldsOf(value) } };
  throw new TypeError(`Firestore cannot store a value of type ${typeof value}.`);
}

function numberValue(number: number): RestValue {
  const isInteger = Number.isSafeInteger(number) && !Object.is(number, -0);
  // As text, because JSON has neither NaN nor a negative zero.
  const text = Object.is(number, -0) ? '-0' : String(number);
  return isInteger ? { integerValue: text } : { doubleValue: text };
}

/** What `toValue` converts back to the same: a time with microseconds stays in Firestore's form. */
function fromValue(json: RestValue): unknown {
  const [[kind, value] = []] = Object.entries(json);
  switch (kind) {
    case 'nullValue':
    case 'stringValue':
    case 'booleanValue':
      return value;
    case 'integerValue':
      return Number.isSafeInteger(Number(value)) ? Number(value) : new FirestoreValue(json);
    case 'doubleValue':
      return Number(value);
    case 'timestampValue':
      return /\.\d{4}/.test(value as string) ? new FirestoreValue(json) : new Date(value as string);
    case 'arrayValue':
      return ((value as { values?: RestValue[] }).values ?? []).map(fromValue);
    case 'mapValue':
      return dataOf(value as StoredDocument);
    default:
      return new FirestoreValue(json);
  }
}
