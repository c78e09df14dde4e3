import type { Document, FieldMask, Fields } from './messages.ts';

/**
 * The document with only the fields of the mask, or unchanged without a mask. The engine does not apply masks of batch
 * gets.
 */
export function masked(document: Document, mask: FieldMask | null | undefined): Document {
  if (!mask) return document;
  const paths = (mask.fieldPaths ?? []).map(fieldPathSegments);
  return { ...document, fields: pick(document.fields ?? {}, paths) };
}

/**
 * The segments of a field path. A segment that is not a simple name is quoted with backticks, with backslash escapes
 * (`StructuredQuery.FieldReference` of the protocol).
 */
export function fieldPathSegments(path: string): string[] {
  return [...path.matchAll(/`((?:[^`\\]|\\.)*)`|[^.`]+/gs)].map(([whole, quoted]) =>
    quoted === undefined ? whole : quoted.replace(/\\(.)/gs, '$1'),
  );
}

function pick(fields: Fields, paths: readonly (readonly string[])[]): Fields {
  const picked: Record<string, Fields[string]> = {};
  for (const name of new Set(paths.flatMap(([first]) => first ?? []))) {
    const value = fields[name];
    if (value === undefined) continue;
    const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    if (below.some((rest) => rest.length === 0)) {
      picked[name] = value;
    } else if (value.mapValue) {
      const fields = pick(value.mapValue.fields ?? {}, below);
      if (Object.keys(fields).length > 0) picked[name] = { mapValue: { fields } };
    }
  }
  return picked;
}
