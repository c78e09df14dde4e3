import { isDeepStrictEqual } from 'node:util';
import * as values from '@tattoo-marketplace/firestore-rest';
import type { DocumentResource } from './engine/database.ts';
import type { DatabaseUsage } from './server/databaseUsage.ts';

type Fields = values.Fields;
type Value = values.Value;

/**
 * The fields of a document as JSON. Integral numbers are stored as integers. Types that JSON lacks are written as in
 * Firestore's REST API: `{ timestampValue: '2026-01-15T12:00:00Z' }`, `{ doubleValue: 2 }`.
 */
export type DocumentData = Readonly<Record<string, unknown>>;

/** Returns whether a value is written as in Firestore's REST API. */
export function isRestValue(value: unknown): value is Value & DocumentData {
  return (
    typeof value === 'object' && value !== null && /^\w+Value$/.test(Object.keys(value).join())
  );
}

/** A client of the embedded Firestore or of Google's emulator. Paths are like `flash/abc`. */
export class EmulatorClient {
  readonly #origin: string;
  readonly #project: string;
  readonly #root: string;

  /** `address` is `host:port`. */
  constructor(address: string, projectId: string) {
    this.#origin = `http://${address}`;
    this.#project = projectId;
    this.#root = `projects/${projectId}/databases/(default)/documents`;
  }

  /** Reads the data of a document; undefined if it does not exist. */
  async get(path: string): Promise<DocumentData | undefined> {
    return (await this.getAll([path]))[path];
  }

  /** Reads the documents with these paths that exist, at one point in time. */
  async getAll(paths: readonly string[]): Promise<Record<string, DocumentData>> {
    const documents = paths.map((path) => this.getResourceName(path));
    const elements = (await this.#call(':batchGet', { documents })) as {
      found?: DocumentResource;
    }[];
    return this.#decode(elements.flatMap(({ found = [] }) => found));
  }

  /** Reads all documents, by path. */
  async getAllDocuments(): Promise<Record<string, DocumentData>> {
    const structuredQuery = { from: [{ allDescendants: true }] };
    const elements = (await this.#call(':runQuery', { structuredQuery })) as {
      document?: DocumentResource;
    }[];
    return this.#decode(elements.flatMap(({ document = [] }) => document));
  }

  /** Replaces documents in one commit. A document that is null is deleted. */
  async write(documents: Readonly<Record<string, DocumentData | null>>): Promise<void> {
    const writes = Object.entries(documents).map(([path, data]) => {
      const name = this.getResourceName(path);
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

  /** Reads the usage of the project. Google's emulator does not report it. */
  async readUsage(): Promise<DatabaseUsage> {
    return (await readJsonResponse(
      await fetch(`${this.#origin}/usage/${this.#project}`),
    )) as DatabaseUsage;
  }

  /** Returns the resource name of a document, as used in reference values. */
  getResourceName(path: string): string {
    return `${this.#root}/${path}`;
  }

  #decode(documents: readonly DocumentResource[]): Record<string, DocumentData> {
    const { length } = this.getResourceName('');
    return Object.fromEntries(
      documents.map(({ name, fields = {} }) => [name.slice(length), fieldsToJson(fields)]),
    );
  }

  /** Sends a call with administrator rights. */
  async send(path: string, body: object | string): Promise<Response> {
    return fetch(`${this.#origin}/v1/${this.#root}${path}`, {
      method: 'POST',
      headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async #call(path: string, body: object): Promise<unknown> {
    return readJsonResponse(await this.send(path, body));
  }
}

async function readJsonResponse(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`Firestore responded ${response.status}: ${text}`);
  // Not response.json(): in Jest, its arrays have another prototype than the arrays of tests.
  return JSON.parse(text);
}

/** Encodes data as fields of the REST API. */
export function jsonToFields(data: object): Fields {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, jsonToValue(value)]),
  );
}

/** Encodes JSON as a value of the REST API. */
export function jsonToValue(value: unknown): Value {
  if (isRestValue(value)) return value;
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

/** Decodes a value to JSON that `jsonToValue` encodes to the same value. */
function valueToJson(json: Value): unknown {
  if (json.arrayValue) return values.getArrayElements(json).map(valueToJson);
  if (json.mapValue) return fieldsToJson(json.mapValue.fields ?? {});
  // JSON has no NaN, and no infinity.
  if (typeof json.doubleValue === 'string') return json;
  const value = 'nullValue' in json ? null : values.decodePrimitive(json);
  return value !== undefined && isDeepStrictEqual(jsonToValue(value), json) ? value : json;
}
