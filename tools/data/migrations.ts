/** The changes that `npm run migrate` makes to a document. */
import {
  isEqual,
  toValue,
  type Changes,
  type Fields,
  type Value,
} from '@tattoo-marketplace/firestore-rest';
import { UserError } from '../checks/commandLine.ts';
import { isNoValue, NO_VALUE } from '../../functions/src/documents/storedNames.ts';
import { converted, KINDS, unconverted, type Kind } from './conversions.ts';
import { Left, valueAt, withValue } from './paths.ts';

/** What a person has asked for: exactly one of the first three. */
export interface MigrationOptions {
  /** `isVisible=true` */
  readonly set?: string | undefined;
  readonly 'where-missing'?: string | undefined;
  /** `order=position` */
  readonly rename?: string | undefined;
  /** `price.amount=text` */
  readonly convert?: string | undefined;
  /** Of the two names of `rename` the one that counts where a document has both. */
  readonly prefer?: string | undefined;
}

export interface Migration {
  /** The fields to read. */
  readonly select: readonly string[];
  /** The changes of a document, if it needs any; throws `Left` if it needs some that are not certain. */
  readonly changesOf: (fields: Fields) => Changes | undefined;
}

/** A field, one in maps, or one in maps of lists: `order`, `price.amount`, `sessions[].sessionNumber`. */
const NAME = '[A-Za-z_]\\w*';
const PATH = new RegExp(`^${NAME}(\\.${NAME})*$`);
const PATH_IN_LISTS = new RegExp(`^${NAME}(\\[\\])*(\\.${NAME}(\\[\\])*)*$`);

const USAGE =
  'Say one of --set FIELD=VALUE --where-missing FIELD, --rename NEW=OLD, and --convert FIELD=KIND.';

/** The migration that options describe; throws a `UserError` if they describe none. */
export function migrationOf(options: MigrationOptions): Migration {
  const { set, 'where-missing': missing, rename, convert, prefer } = options;
  const asked = [set, rename, convert].filter((each) => each !== undefined);
  if (asked.length !== 1 || (set === undefined) !== (missing === undefined))
    throw new UserError(USAGE);
  if (prefer !== undefined && rename === undefined) {
    throw new UserError('--prefer belongs to --rename.');
  }
  if (rename !== undefined) return renaming(...pair('--rename', rename), prefer);
  if (convert !== undefined) return converting(...pair('--convert', convert, PATH_IN_LISTS));
  return setting(...pair('--set', set ?? ''), missing ?? '');
}

/** Gives a field to documents that lack one. */
function setting(field: string, text: string, missing: string): Migration {
  requirePath('--where-missing', missing);
  const value = toValue(jsonOrText(text));
  const { doubleValue } = value;
  // A number that JavaScript cannot represent would become another one, or infinity, which counts as missing.
  const isExact = doubleValue === undefined || converted({ stringValue: text }, 'number');
  if (!isExact || isNoValue(value)) throw new UserError(`--set cannot store ${text}.`);
  return migration([field, missing], (fields) => {
    if (!isMissing(fields, missing)) return fields;
    const map = field.slice(0, field.lastIndexOf('.'));
    // Not every document of the collection needs to have it.
    if (field.includes('.') && isMissing(fields, map)) throw new Left(`${map} is missing`);
    return withValue(fields, field, (present = NO_VALUE) => {
      if (isNoValue(present) || isEqual(present, value)) return value;
      throw new Left(`${field} has another value`);
    });
  });
}

/** Moves the value of a field. */
function renaming(field: string, old: string, prefer: string | undefined): Migration {
  requirePath('--rename', old);
  if (`${field}.`.startsWith(`${old}.`) || `${old}.`.startsWith(`${field}.`)) {
    throw new UserError('--rename needs two fields, neither in the other.');
  }
  if (prefer !== undefined && prefer !== field && prefer !== old) {
    throw new UserError(`--prefer must be ${field} or ${old}.`);
  }
  return migration([field, old], (fields) => {
    if (isMissing(fields, old)) return fields;
    const value = valueAt(fields, old);
    const without = withValue(fields, old, () => undefined);
    const hasBoth = !isMissing(fields, field);
    if (hasBoth && prefer === undefined) {
      throw new Left(`both ${field} and ${old} have a value: --prefer says which one counts`);
    }
    return hasBoth && prefer === field ? without : withValue(without, field, () => value);
  });
}

/** Makes the values of a field of another kind. */
function converting(field: string, name: string): Migration {
  const kind = KINDS.find((each) => each === name);
  if (kind === undefined) {
    throw new UserError(`There is no kind ${name}. --convert knows ${KINDS.join(', ')}.`);
  }
  return migration([field], (fields) =>
    withValue(fields, field, (value) => value && convertedOrLeft(field, value, kind)),
  );
}

function convertedOrLeft(field: string, value: Value, kind: Kind): Value {
  const found = converted(value, kind);
  if (found === undefined) throw new Left(`${field} is ${unconverted(value, kind)}`);
  return found;
}

/** A migration that turns the fields of a document into those that it must have. */
function migration(paths: readonly string[], next: (fields: Fields) => Fields): Migration {
  // Maps and lists are written as a whole: nobody else has changed them since they were read.
  const select = [...new Set(paths.map((path) => /^\w+/.exec(path)?.[0] ?? path))];
  return {
    select,
    changesOf(fields) {
      const after = next(fields);
      const changed = select.filter((name) => !isEqual(fields[name], after[name]));
      if (changed.length === 0) return undefined;
      return Object.fromEntries(changed.map((name) => [name, after[name]]));
    },
  };
}

function isMissing(fields: Fields, path: string): boolean {
  return isNoValue(valueAt(fields, path) ?? NO_VALUE);
}

function pair(option: string, text: string, path = PATH): [string, string] {
  const [, name = '', value] = /^([^=]*)=([^]+)$/.exec(text) ?? [];
  if (value === undefined) throw new UserError(`${option} ${text} must have the form FIELD=…`);
  requirePath(option, name, path);
  return [name, value];
}

function requirePath(option: string, name: string, path = PATH): void {
  if (path.test(name)) return;
  throw new UserError(
    `${option} must name a field, or one in a map (price.amount). ${name} is neither.`,
  );
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
