/** Creates a function that renames `reviews` in paths and code to another collection. Throws for a name that is not a lower-case plural. */
export function createRename(plural: string): (text: string) => string {
  if (!/^[a-z]+s$/.test(plural)) {
    throw new Error(`Name the collection by one word in the plural: npm run new -- waitlists`);
  }
  const singular = plural.replace(/ies$/, 'y').replace(/s$/, '');
  return (text) =>
    text
      .replaceAll(/\breviews/g, plural)
      .replaceAll(/\breview/g, singular)
      .replaceAll('Reviews', capitalize(plural))
      .replaceAll('Review', capitalize(singular));
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
