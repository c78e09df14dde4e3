/** The size of documents in bytes, as Firestore computes it (https://firebase.google.com/docs/firestore/storage-size). */
import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';

/** Computes the size of a document: its name, its fields and 32 bytes. */
export function computeDocumentSize(ids: readonly string[], fields: Fields): number {
  return computeNameSize(ids) + computeMapSize(fields);
}

function computeNameSize(ids: readonly string[]): number {
  return sum(ids, computeStringSize) + 16;
}

function computeMapSize(fields: Fields): number {
  return (
    sum(
      Object.entries(fields),
      ([name, value]) => computeStringSize(name) + computeValueSize(value),
    ) + 32
  );
}

function computeValueSize(value: Value): number {
  if (value.stringValue !== undefined) return computeStringSize(value.stringValue);
  if (value.bytesValue !== undefined) return Buffer.from(value.bytesValue, 'base64').length;
  if (value.mapValue) return computeMapSize(value.mapValue.fields ?? {});
  if (value.arrayValue) return sum(value.arrayValue.values ?? [], computeValueSize);
  // The ids follow after projects/PROJECT/databases/DATABASE/documents.
  if (value.referenceValue !== undefined)
    return computeNameSize(value.referenceValue.split('/').slice(5));
  if (value.geoPointValue) return 16;
  return 'nullValue' in value || 'booleanValue' in value ? 1 : 8;
}

function computeStringSize(string: string): number {
  return Buffer.byteLength(string) + 1;
}

function sum<Item>(items: readonly Item[], size: (item: Item) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}
