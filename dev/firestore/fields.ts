/** The fields at paths such as `a.b` or `` `a.b`.c ``. */
import { elements, invalid, members } from './refusal.ts';
import { isReserved, type Fields, type Value } from './values.ts';

export type Path = readonly string[];

const PATH = /^(?:[A-Za-z_]\w*|`(?:[^`\\]|\\.)+`)(?:\.(?:[A-Za-z_]\w*|`(?:[^`\\]|\\.)+`))*$/s;

/** The names on a path, none for `__name__`. */
export function pathOf(text: unknown): Path {
  if (text === '__name__') return [];
  if (typeof text !== 'string' || !PATH.test(text))
    throw invalid(`No path of a field: ${String(text)}.`);
  const names = [...text.matchAll(/`((?:[^`\\]|\\.)+)`|[^.`]+/gs)].map(([plain, quoted]) =>
    quoted === undefined ? plain : quoted.replace(/\\(.)/gs, '$1'),
  );
  if (names.some(isReserved)) throw invalid(`The path has a reserved name: ${text}.`);
  return names;
}

/** The paths of a mask; undefined without one. */
export function maskOf(json: unknown): readonly Path[] | undefined {
  if (json === undefined) return undefined;
  const paths = elements(members(json, 'fieldPaths').fieldPaths).map(pathOf);
  return paths.filter(({ length }) => length > 0);
}

/** The value at a path; undefined if there is none. */
export function valueAt(fields: Fields, path: Path): Value | undefined {
  let value: Value | undefined;
  let inside: Fields | undefined = fields;
  for (const name of path) {
    value = inside && Object.hasOwn(inside, name) ? inside[name] : undefined;
    inside = fieldsOf(value);
  }
  return value;
}

/** The fields of a map; undefined if the value is no map. */
function fieldsOf(value: Value | undefined): Fields | undefined {
  const map = value?.mapValue as { fields?: Fields } | undefined;
  return map && (map.fields ?? {});
}

/** Fields with another value at a path, or none. A value on the path that is no map is replaced. */
export function withValue(fields: Fields, [name = '', ...rest]: Path, value?: Value): Fields {
  const { [name]: present, ...others } = fields;
  if (rest.length === 0) return value === undefined ? others : { ...fields, [name]: value };
  const inside = fieldsOf(present);
  if (value === undefined && inside === undefined) return fields;
  const changed = withValue(inside ?? {}, rest, value);
  const mapValue = Object.keys(changed).length === 0 ? {} : { fields: changed };
  return { ...fields, [name]: { mapValue } };
}

/** Only the values at these paths. */
export function picked(fields: Fields, paths: readonly Path[]): Fields {
  return paths.reduce<Fields>((result, path) => {
    const value = valueAt(fields, path);
    return value === undefined ? result : withValue(result, path, value);
  }, {});
}
