import * as z from 'zod';
import { fromValue, valueAt, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';
import {
  type AnyCollection,
  documentReader,
  type DocumentReader,
  hasValue,
  nameOf,
} from '@tattoo-marketplace/collections';
import { kindOf, typeName } from './fieldTypes.ts';
import { needsOf, type Need } from './needs.ts';

/** How many documents of a finding are named. */
const EXAMPLES = 5;

/** Something that is wrong with documents of a collection. */
export interface Finding {
  /**
   * `lost`: the service does not find the documents, or refuses them. `no value`: a list has them, without the field that
   * orders it. `wrong type`: it leaves the values out.
   */
  readonly kind: 'lost' | 'no value' | 'wrong type';
  /** `order is missing`, `price.amount is of the type number, not text`, or why a schema refuses a value. */
  readonly what: string;
  /** What happens to the documents. */
  readonly consequence: string;
  readonly documents: number;
  /** The paths of the first few. */
  readonly examples: readonly string[];
}

type Fault = Pick<Finding, 'kind' | 'what' | 'consequence'>;

/** What a check of a collection found. */
export interface Result {
  readonly collection: string;
  readonly documents: number;
  readonly findings: readonly Finding[];
}

/** Checks the documents of one collection, one after another. */
export class CollectionCheck {
  readonly #collection: AnyCollection;
  readonly #needs: readonly Need[];
  readonly #readFields: DocumentReader<unknown>['readFields'];
  #documents = 0;
  readonly #findings = new Map<string, Finding & { documents: number; examples: string[] }>();
  /** The conversation whose messages are being read, and the kinds of their times so far. */
  #parent = '';
  #kinds = new Set<string>();

  constructor(collection: AnyCollection) {
    this.#collection = collection;
    this.#needs = needsOf(collection);
    this.#readFields = documentReader(collection.schema).readFields;
  }

  /** The findings, in the order in which they were found first. */
  result(): Result {
    return {
      collection: this.#collection.path,
      documents: this.#documents,
      findings: [...this.#findings.values()],
    };
  }

  add(path: string, fields: Fields): void {
    this.#documents += 1;
    const wrong = this.#wrongTypes(fields);
    for (const need of this.#needs) {
      const kinds = Object.entries(need.only ?? {});
      if (kinds.some(([name, kind]) => valueAt(fields, name)?.stringValue !== kind)) continue;
      const fault = faultOf(need, valueAt(fields, need.field), wrong.get(need.field));
      if (fault === undefined) continue;
      wrong.delete(need.field);
      this.#find(fault, path);
    }
    for (const what of wrong.values()) {
      this.#find({ kind: 'wrong type', what, consequence: 'the service ignores the value' }, path);
    }
    if (nameOf(this.#collection) === 'messages') this.#requireOneKind(path, fields.timestamp);
  }

  /** What the service says of the types of a document, by field. A list with many wrong elements has one entry. */
  #wrongTypes(fields: Fields): Map<string, string> {
    const wrong = new Map<string, string>();
    this.#readFields(fields, (field, type, value) => {
      const [kind, expected] = [kindOf(value), typeName(type)];
      const [issue] = z.safeParse(type, fromValue(value)).error?.issues ?? [];
      wrong.set(
        field,
        kind === expected
          ? `${field} does not fit: ${issue?.message}`
          : `${field} is of the type ${kind}, not ${expected}`,
      );
    });
    return wrong;
  }

  /** Firestore sorts every number before every `Timestamp`. The messages of a conversation come one after another. */
  #requireOneKind(path: string, time: Value | undefined): void {
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (parent !== this.#parent) this.#kinds = new Set();
    this.#parent = parent;
    if (!hasValue(time) || this.#kinds.has(kindOf(time))) return;
    this.#kinds.add(kindOf(time));
    if (this.#kinds.size !== 2) return;
    const what = 'timestamp is of several kinds';
    this.#find({ kind: 'lost', what, consequence: 'messages in a wrong order' }, parent);
  }

  #find(fault: Fault, path: string): void {
    const key = `${fault.kind} ${fault.what}`;
    const finding = this.#findings.get(key) ?? { ...fault, documents: 0, examples: [] };
    this.#findings.set(key, finding);
    finding.documents += 1;
    if (finding.examples.length < EXAMPLES) finding.examples.push(path);
  }
}

/** What a document lacks that has this value in a field that it needs; `wrong` says that it is of a wrong type. */
function faultOf(
  { field, list, otherwise }: Need,
  value: Value | undefined,
  wrong: string | undefined,
): Fault | undefined {
  const lost = (what: string) => ({ kind: 'lost', what, consequence: otherwise }) as const;
  const isNothing = !hasValue(value);
  if (list === 'order' && value !== undefined) {
    const consequence = 'in its list, at one end';
    return isNothing ? { kind: 'no value', what: `${field} has no value`, consequence } : undefined;
  }
  if (isNothing) return lost(`${field} is missing`);
  return wrong === undefined ? undefined : lost(wrong);
}
