/**
 * Lists of stored documents that a model changes. Decoding omits undeclared fields and items of a
 * wrong type, and rounds integers beyond 2^53. So each decoded list is kept with its stored values:
 * items that the model does not change are stored as they were read.
 */
import type { Value } from '@tattoo-marketplace/firestore-rest';
import { deepFreeze } from './deepFreeze.ts';

/** The values of a stored list, and each of them decoded: undefined if the decoded list omits it. */
export interface StoredList {
  readonly values: readonly Value[];
  readonly decoded: readonly unknown[];
}

const storedLists = new WeakMap<object, StoredList>();

/** Keeps the stored values of a decoded list, and makes the list immutable: its changes would not be stored. */
export function keepStoredList(items: readonly unknown[], stored: StoredList): void {
  deepFreeze(items);
  storedLists.set(items, stored);
}

/** Returns the stored value of a list that was decoded, or made of one by `removeItem`. */
export function getStoredList(list: unknown): Value | undefined {
  const stored = typeof list === 'object' && list !== null ? storedLists.get(list) : undefined;
  return stored && { arrayValue: { values: stored.values } };
}

/**
 * Removes the first occurrence of an item from a list field that `buildChange` received, and
 * returns the new list. The other items are stored unchanged.
 */
export function removeItem<Item>(list: readonly Item[], item: Item): Item[] {
  const stored = storedLists.get(list);
  const index = stored?.decoded.indexOf(item) ?? -1;
  if (stored === undefined || index < 0) {
    throw new Error('removeItem needs a list field that `buildChange` received, and its item.');
  }
  const remaining = list.toSpliced(list.indexOf(item), 1);
  keepStoredList(remaining, {
    values: stored.values.toSpliced(index, 1),
    decoded: stored.decoded.toSpliced(index, 1),
  });
  return remaining;
}
