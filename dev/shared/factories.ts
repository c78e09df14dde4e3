import documents from './documents.json' with { type: 'json' };

type Collection = keyof typeof documents;

/**
 * A complete, valid stored document of a collection without its `id`, from documents.json. `fields` are the overrides that
 * matter in a test.
 */
export function storedDocument<Name extends Collection>(
  collection: Name,
  fields: Readonly<Record<string, unknown>> = {},
) {
  // A copy, so that no test changes the documents of another. In jest, structuredClone's objects are of another realm.
  const copy = JSON.parse(JSON.stringify(documents[collection])) as (typeof documents)[Name];
  return { ...copy, ...fields };
}
