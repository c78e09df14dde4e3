import { Script } from 'node:vm';

/**
 * Creates a function that renames `reviews` in paths and code to another collection. Throws for a name that is not a lower-case
 * plural, or that code cannot use.
 */
export function createRename(plural: string): (text: string) => string {
  if (!/^[a-z]+s$/.test(plural)) {
    throw new Error(`Name the collection by one word in the plural: npm run new -- waitlists`);
  }
  const singular = plural.replace(/ies$/, 'y').replace(/s$/, '');
  assertIdentifiers(plural, singular);
  return (text) =>
    text
      .replaceAll(/\breviews/g, plural)
      .replaceAll(/\breview/g, singular)
      .replaceAll('Reviews', capitalize(plural))
      .replaceAll('Review', capitalize(singular));
}

/** Throws for a reserved word. */
function assertIdentifiers(...names: readonly string[]): void {
  for (const name of names) {
    try {
      new Script(`'use strict'; let ${name};`);
    } catch {
      throw new Error(`"${name}" is a reserved word. Choose another name.`);
    }
  }
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
