/** Reads and writes documents behind the service's back, over Firestore's REST API. */
import { passOn } from '../../emulator/google/passOn.ts';
import type { Documents } from './contract.ts';
import { isRaw, type Data } from './values.ts';

/** Direct access to a Firestore. */
export interface Stored {
  /** Stores documents in one commit, each as a whole; one that is null is deleted. */
  write(documents: Readonly<Record<string, Data | null>>): Promise<void>;
  /** The documents with these paths that exist, all as of one moment. */
  read(paths: readonly string[]): Promise<Documents>;
}

/** Direct access to the Firestore at `host:port`. */
export function storedAt(address: string, projectId: string): Stored {
  const root = `projects/${projectId}/databases/(default)/documents`;

  async function post(method: string, request: object): Promise<unknown> {
    const path = `/v1/${root}:${method}`;
    const { status, body } = await passOn(address, path, JSON.stringify(request));
    if (status !== 200) throw new Error(`Firestore refuses ${method}: ${body.toString()}`);
    return JSON.parse(body.toString());
  }

  return {
    write: async (documents) => {
      const writes = Object.entries(documents).map(([path, data]) => {
        const name = `${root}/${path}`;
        return data === null ? { delete: name } : { update: { name, fields: toFields(data) } };
      });
      await post('commit', { writes });
    },
    read: async (paths) => {
      const names = paths.map((path) => `${root}/${path}`);
      const found = (await post('batchGet', { documents: names })) as {
        found?: { name: string; fields?: Data };
      }[];
      return Object.fromEntries(
        found.flatMap(({ found: document }) =>
          document ? [[document.name.slice(root.length + 1), fromFields(document.fields)]] : [],
        ),
      );
    },
  };
}

function toFields(data: Data): Data {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, toValue(value)]));
}

function toValue(value: unknown): Data {
  if (isRaw(value)) return value;
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toValue) } };
  if (value === null) return { nullValue: null };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { booleanValue: value };
  if (typeof value === 'object') return { mapValue: { fields: toFields(value as Data) } };
  return Number.isSafeInteger(value)
    ? { integerValue: JSON.stringify(value) }
    : { doubleValue: value };
}

function fromFields(fields: Data = {}): Data {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, fromValue(value as Data)]),
  );
}

function fromValue(value: Data): unknown {
  const [[kind, inner] = ['', null]] = Object.entries(value);
  switch (kind) {
    case 'arrayValue':
      return ((inner as { values?: Data[] }).values ?? []).map(fromValue);
    case 'mapValue':
      return fromFields((inner as { fields?: Data }).fields);
    case 'integerValue':
      return Number.isSafeInteger(Number(inner)) ? Number(inner) : value;
    case 'doubleValue':
      // A whole number is told from an integer.
      return typeof inner === 'number' && !Number.isInteger(inner) ? inner : value;
    case 'nullValue':
    case 'stringValue':
    case 'booleanValue':
      return inner;
    default:
      return value;
  }
}
