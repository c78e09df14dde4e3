/** The size of documents in bytes, as Firestore computes it (https://firebase.google.com/docs/firestore/storage-size). */
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';

/** The size of a document: its name, its fields and 32 bytes. */
export function documentSize(ids: readonly string[], fields: Fields): number {
  return nameSize(ids) + mapSize(fields);
}

function nameSize(ids: readonly string[]): number {
  return sum(ids, stringSize) + 16;
}

function mapSize(fields: Fields): number {
  return sum(Object.entries(fields), ([name, value]) => stringSize(name) + valueSize(value)) + 32;
}

function valueSize(value: Value): number {
  if (value.stringValue !== undefined) return stringSize(value.stringValue);
  if (value.bytesValue !== undefined) return Buffer.from(value.bytesValue, 'base64').length;
  if (value.mapValue) return mapSize(value.mapValue.fields ?? {});
  if (value.arrayValue) return sum(value.arrayValue.values ?? [], valueSize);
  // The ids follow after projects/PROJECT/databases/DATABASE/documents.
  if (value.referenceValue !== undefined) return nameSize(value.referenceValue.split('/').slice(5));
  if (value.geoPointValue) return 16;
  return 'nullValue' in value || 'booleanValue' in value ? 1 : 8;
}

function stringSize(string: string): number {
  return Buffer.byteLength(string) + 1;
}

function sum<Item>(items: readonly Item[], size: (item: Item) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}
