import * as z from 'zod';
import { type Collection, type DocumentList, isPresent } from '@tattoo-marketplace/collections';
import {
  decodePrimitive,
  getFieldValue,
  type Fields,
  type Value,
} from '@tattoo-marketplace/firestore-rest';
import { formatType } from '../generate/collections.ts';
import { getFieldRequirements, type FieldRequirement } from './requirements.ts';

/** The number of documents that a finding names. */
const MAX_EXAMPLES = 5;

/** A problem in documents of a collection: the number of documents, and the paths of the first few. */
interface Finding {
  documents: number;
  readonly examples: string[];
}

/** The names of Firestore's types in docs/data.md. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  arrayValue: 'list',
  booleanValue: 'boolean',
  bytesValue: 'bytes',
  doubleValue: 'number',
  geoPointValue: 'location',
  integerValue: 'integer',
  mapValue: 'map',
  nullValue: 'null',
  referenceValue: 'reference',
  stringValue: 'text',
  timestampValue: 'Timestamp',
};

/** Finds problems in the documents of a collection. */
export class CollectionCheck {
  readonly #collection: Collection;
  readonly #requirements: readonly FieldRequirement[];
  readonly #decodeFields;
  /** The type of the field by which a list sorts, by list: `flash artistId=alice order`. */
  readonly #sortTypes = new Map<string, string>();
  documents = 0;
  /** The findings by problem: `order is missing`, `price.amount is stored as integer; expected: text`. */
  readonly findings = new Map<string, Finding>();

  constructor(collection: Collection) {
    this.#collection = collection;
    this.#requirements = getFieldRequirements(collection);
    this.#decodeFields = collection.decoder.decodeFields;
  }

  /** Checks a document. Returns the problems that no document before it had. */
  add(path: string, fields: Fields): string[] {
    this.documents += 1;
    const problems = new Set([
      ...this.#findMissingFields(fields),
      ...this.#findInvalidValues(fields),
      ...this.#findMixedSortTypes(path, fields),
    ]);
    const newProblems = [...problems].filter((problem) => !this.findings.has(problem));
    for (const problem of problems) {
      const finding = this.findings.get(problem) ?? { documents: 0, examples: [] };
      this.findings.set(problem, finding);
      finding.documents += 1;
      if (finding.examples.length < MAX_EXAMPLES) finding.examples.push(path);
    }
    return newProblems;
  }

  #findMissingFields(fields: Fields): string[] {
    const missing = this.#requirements.filter(({ field, mayBeNull, appliesWhen = {} }) => {
      const value = getFieldValue(fields, field);
      const isMissing = mayBeNull ? value === undefined : !isPresent(value);
      return isMissing && matches(fields, appliesWhen);
    });
    return missing.map(({ field }) => `${field} is missing`);
  }

  #findInvalidValues(fields: Fields): string[] {
    const problems = this.#collection.timeFields
      .filter((field) => getFieldValue(fields, field)?.nullValue === null)
      .map((field) => `${field} is null; expected: time`);
    this.#decodeFields(fields, {
      onInvalidValue: (field, type, value) => {
        const problem = describeInvalidValue(type, value);
        problems.push(`${field} ${problem}; expected: ${formatType(type)}`);
      },
    });
    return problems;
  }

  /** Finds sort fields with another type than in a previous document of the list: Firestore sorts by type first. */
  #findMixedSortTypes(path: string, fields: Fields): string[] {
    const parent = path.slice(0, path.lastIndexOf('/'));
    return this.#collection.lists.flatMap(({ filterBy, where, orderBy }) => {
      const value = orderBy === undefined ? undefined : getFieldValue(fields, orderBy);
      const filters = filterBy.map((field) => getFieldValue(fields, field));
      if (value === undefined || !filters.every(isPresent) || !matches(fields, where)) return [];
      const list = JSON.stringify([parent, orderBy, filters, where]);
      const type = isNumberValue(value) ? 'number' : formatStoredType(value);
      const previousType = this.#sortTypes.get(list) ?? type;
      this.#sortTypes.set(list, previousType);
      if (type === previousType) return [];
      const types = [type, previousType].sort().join(' and ');
      return [`${orderBy} has different types in one list: ${types}`];
    });
  }
}

/** Returns whether a document has these values. */
function matches(fields: Fields, values: DocumentList['where']): boolean {
  return Object.entries(values).every(
    ([field, value]) => decodePrimitive(getFieldValue(fields, field)) === value,
  );
}

function describeInvalidValue(type: z.core.$ZodType, value: Value): string {
  const storedType = formatStoredType(value);
  const expected = formatType(type);
  const expectsNumber = ['integer', 'number', 'time'].includes(expected);
  const isFraction = expected === 'integer' && !Number.isInteger(decodePrimitive(value));
  if (expectsNumber && isNumberValue(value) && !isFraction) return 'is out of range';
  if (type instanceof z.ZodEnum && storedType === 'text') return 'has another text';
  return `is stored as ${storedType}`;
}

function isNumberValue(value: Value): boolean {
  return value.integerValue !== undefined || value.doubleValue !== undefined;
}

function formatStoredType(value: Value): string {
  const [name = ''] = Object.keys(value);
  return TYPE_NAMES[name] ?? name;
}
