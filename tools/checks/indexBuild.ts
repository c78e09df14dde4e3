import type { FirestoreIndex } from './resources.ts';

/** Describes how many indexes are still being built; undefined if none. Throws if an index cannot be built. */
export function describeBuild(indexes: readonly FirestoreIndex[]): string | undefined {
  const broken = indexes.find(({ state }) => state === 'NEEDS_REPAIR');
  if (broken !== undefined) {
    throw new Error(
      `Firestore could not build the index ${broken.name}: delete it, and deploy it again.`,
    );
  }
  const building = indexes.filter(({ state }) => state === 'CREATING');
  if (building.length === 0) return undefined;
  return `Waiting for ${building.length} of ${indexes.length} indexes`;
}
