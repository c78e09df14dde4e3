import { isDeepStrictEqual } from 'node:util';
import * as values from '@tattoo-marketplace/firestore-rest';
import type { Usage } from './server/usage.ts';

type Fields = values.Fields;
type Value = values.Value;

/**
 * Stored fields, as JSON: a whole number in it is stored as an integer. Kinds that JSON lacks are written as in
 * Firestore's REST API: `{ timestampValue: '2026-01-15T12:00:00Z' }`, `{ doubleValue: 2 }`.
 */
export type DocumentData = Readonly<Record<string, unknown>>;

/** Whether a stored value has a kind that JSON lacks. */
export function isTypedValue(value: unknown): value is Value & DocumentData {
  return (
    typeof value === 'object' && value !== null && /^\w+Value$/.test(Object.keys(value).join())
  );
}

/**
 * The documents of a local Firestore, embedded or Google's, by path: `flash/abc`.
 */
export class LocalFirestore {
  readonly #origin: string;
  readonly #project: string;
  readonly #root: string;

  /** The Firestore at `host:port`. */
  constructor(host: string, projectId: string) {
    this.#origin = `http://${host}`;
    this.#project = projectId;
    this.#root = `projects/${projectId}/databases/(default)/documents`;
  }

  /** The data of a document; undefined if it does not exist. */
  async get(path: string): Promise<DocumentData | undefined> {
    return (await this.getAll([path]))[path];
  }

  /** The documents with these paths that exist, all as of one moment. */
  async getAll(paths: readonly string[]): Promise<Record<string, DocumentData>> {
    const documents = paths.map((path) => this.resourceName(path));
    const read = (await this.#call(':batchGet', { documents })) as { found?: Stored }[];
    return this.#dataOf(read.flatMap(({ found = [] }) => found));
  }

  /** All documents, by path. */
  async getAllDocuments(): Promise<Record<string, DocumentData>> {
    const structuredQuery = { from: [{ allDescendants: true }] };
    const read = (await this.#call(':runQuery', { structuredQuery })) as { document?: Stored }[];
    return this.#dataOf(read.flatMap(({ document = [] }) => document));
  }

  /** Stores documents in one commit, each as a whole; one that is null is deleted. */
  async write(documents: Readonly<Record<string, DocumentData | null>>): Promise<void> {
    const writes = Object.entries(documents).map(([path, data]) => {
      const name = this.resourceName(path);
      if (data === null) return { delete: name };
      return { update: { name, fields: jsonToFields(data) } };
    });
    await this.#call(':commit', { writes });
  }

  async set(path: string, data: DocumentData): Promise<void> {
    await this.write({ [path]: data });
  }

  async setAll(documents: readonly (readonly [path: string, data: DocumentData])[]): Promise<void> {
    await this.write(Object.fromEntries(documents));
  }

  /** What the project has used; only the embedded Firestore knows it. */
  async usage(): Promise<Usage> {
    return (await jsonOf(await fetch(`${this.#origin}/usage/${this.#project}`))) as Usage;
  }

  /** The resource name of a document, as used in reference values. */
  resourceName(path: string): string {
    return `${this.#root}/${path}`;
  }

  #dataOf(documents: readonly Stored[]): Record<string, DocumentData> {
    const { length } = this.resourceName('');
    return Object.fromEntries(
      documents.map(({ name, fields = {} }) => [name.slice(length), fieldsToJson(fields)]),
    );
  }

  /** Makes a call with administrator rights. */
  async send(path: string, body: object | string): Promise<Response> {
    return fetch(`${this.#origin}/v1/${this.#root}${path}`, {
      method: 'POST',
      headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async #call(path: string, body: object): Promise<unknown> {
    return jsonOf(await this.send(path, body));
  }
}

interface Stored {
  readonly name: string;
  readonly fields?: Fields;
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`Firestore responded ${response.status}: ${text}`);
  // Not response.json(): in Jest, its lists have another prototype than those of tests.
  return JSON.parse(text);
}

/** Data in the form of the REST API. */
export function jsonToFields(data: object): Fields {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, jsonToValue(value)]),
  );
}

/** A value in the form of the REST API. */
export function jsonToValue(value: unknown): Value {
  if (isTypedValue(value)) return value;
  if (Array.isArray(value)) return { arrayValue: { values: value.map(jsonToValue) } };
  return typeof value === 'object' && value !== null
    ? { mapValue: { fields: jsonToFields(value) } }
    : values.encodeValue(value);
}

function fieldsToJson(fields: Fields): DocumentData {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, valueToJson(value)]),
  );
}

/** What `jsonToValue` converts back to exactly the same. */
function valueToJson(json: Value): unknown {
  if (json.arrayValue) return values.getArrayElements(json).map(valueToJson);
  if (json.mapValue) return fieldsToJson(json.mapValue.fields ?? {});
  // JSON has no NaN, and no infinity.
  if (typeof json.doubleValue === 'string') return json;
  const value = 'nullValue' in json ? null : values.decodePrimitive(json);
  return value !== undefined && isDeepStrictEqual(jsonToValue(value), json) ? value : json;
}
