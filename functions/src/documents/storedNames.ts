/**
 * How the fields of documents are stored: under their own names, except where `storedAs` declares others, and times of the
 * kind that they replace.
 */
import * as z from 'zod';
import { times } from '../times.ts';
import { withoutWrappers } from '../wrappers.ts';
import {
  timestampOf,
  toValue,
  type Changes,
  type Fields,
  type Value,
} from '@tattoo-marketplace/firestore-rest';

/** The stored names of the fields that have others than their own. */
export const declaredNames = z.registry<{ readonly names: readonly [string, ...string[]] }>();

/**
 * A field of a document that is stored as `name`; responses and requests do not change:
 * `order: storedAs(z.number().optional(), 'position', 'order')`. Older names are still read where the current one has no value,
 * and removed by writes. Queries find the current name only: a list that the field orders or filters lacks older documents until
 * `npm run migrate -- --rename position=order`.
 */
export function storedAs<Schema extends z.ZodType>(
  schema: Schema,
  name: string,
  ...older: readonly string[]
): Schema {
  // A copy, for others may use the schema for fields that keep their name.
  const copy = schema.clone();
  declaredNames.add<z.ZodType>(copy, { names: [name, ...older] });
  return copy;
}

/** The stored names of the fields of a schema. Made once, when the process loads. */
export class StoredNames {
  /** The names of each field that has others than its own: first the current one, then the older ones. */
  readonly #declared = new Map<string, readonly [string, ...string[]]>();
  /** The fields that are times. */
  readonly #times = new Set<string>();

  constructor({ shape }: z.ZodObject) {
    for (const [field, schema] of Object.entries<z.core.$ZodType>(shape)) {
      const declared = declaredNames.get(schema) ?? declaredNames.get(withoutWrappers(schema));
      if (declared) this.#declared.set(field, declared.names);
      if (times.get(schema) ?? times.get(withoutWrappers(schema))) this.#times.add(field);
    }
    const all = Object.keys(shape).flatMap((field) => this.of(field));
    const odd = all.find((name) => !/^[A-Za-z_]\w*$/.test(name));
    if (odd !== undefined) throw new Error(`${odd} is not the simple name of a field.`);
    const twice = all.find((name, index) => all.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`Two fields are stored as ${twice}.`);
  }

  /** The names under which a field may be stored, the current one first. */
  of(field: string): readonly [string, ...string[]] {
    return this.#declared.get(field) ?? [field];
  }

  /** The names to read for these fields. */
  mask(fields: readonly string[]): string[] {
    return fields.flatMap((field) => this.of(field));
  }

  /** The field that is stored under a name now. */
  fieldOf(name: string): string {
    const found = [...this.#declared].find(([, [current]]) => current === name);
    return found?.[0] ?? name;
  }

  /** The path by which queries find a field: they know the current name only. */
  pathOf(path: string): string {
    const [field = '', ...members] = path.split('.');
    return [this.of(field)[0], ...members].join('.');
  }

  /** Stored fields by the names of the schema: of several values of a field, the one with the newest name. */
  read(stored: Fields): Fields {
    if (this.#declared.size === 0) return stored;
    const found = [...this.#declared].map(([field, names]) => {
      const values = names.map((name) => stored[name] ?? NO_VALUE);
      return [field, values.find((value) => !isNoValue(value)) ?? NO_VALUE] as const;
    });
    return { ...stored, ...Object.fromEntries(found) };
  }

  /**
   * Changes of a document with these stored fields. They are made to the current names; older ones are removed, and fields
   * that are undefined. A time that replaces a `Timestamp` is one: the apps of other writers call its `toDate()`, and a query
   * sorts all numbers before all `Timestamp`s.
   */
  changes(changes: Readonly<Record<string, unknown>>, stored: Fields): Changes {
    const before = this.read(stored);
    const values = Object.entries(changes).map(([field, value]) => {
      return [field, value === undefined ? value : this.#valueFor(field, value, before[field])];
    });
    return this.write(Object.fromEntries(values) as Changes);
  }

  /** Changes that are values of Firestore already. */
  write(changes: Changes): Changes {
    const entries = Object.entries(changes).flatMap(([field, value]) => {
      const [name, ...older] = this.of(field);
      return [[name, value] as const, ...older.map((each) => [each, undefined] as const)];
    });
    return Object.fromEntries(entries);
  }

  #valueFor(field: string, value: unknown, before: Value = NO_VALUE): Value {
    const isTimestamp = this.#times.has(field) && before.timestampValue !== undefined;
    const timestamp = isTimestamp && typeof value === 'number' ? timestampOf(value) : undefined;
    return timestamp ?? toValue(value);
  }
}

export const NO_VALUE: Value = { nullValue: null };

/** Whether a stored value counts as missing: null, NaN or infinity. */
export function isNoValue({ nullValue, doubleValue }: Value): boolean {
  return nullValue === null || typeof doubleValue === 'string';
}
