import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';
import {
  documentReader,
  type DocumentReader,
} from '../../functions/src/documents/documentReader.ts';
import {
  isNoValue,
  NO_VALUE,
  type StoredNames,
} from '../../functions/src/documents/storedNames.ts';
import type { AnyCollection } from '../../functions/src/documents/collection.ts';
import { nameOf } from '../../functions/declared/collections.ts';
import { needsOf, type Need } from './needs.ts';
import { kindOf, typeName } from './fieldTypes.ts';

/** What is wrong, and the command that mends it, where one can. */
interface Fault {
  /** `order is missing`, or `price.amount is of the type number, not text`. */
  readonly what: string;
  readonly migration?: string;
}

/** Something that is wrong with documents of a collection. */
export interface Finding extends Fault {
  /** `lost`: the service does not find the documents, or refuses them. `wrong type`: it leaves the values out. */
  readonly kind: 'lost' | 'wrong type';
  /** What happens to the documents. */
  readonly consequence: string;
  documents: number;
  /** The paths of the first few, or of all. */
  readonly examples: string[];
}

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
  readonly #names: StoredNames;
  readonly #readFields: DocumentReader<unknown>['readFields'];
  readonly #maxIds: number;
  readonly #migrate: string;
  #documents = 0;
  readonly #findings = new Map<string, Finding>();
  /** The conversation of the messages that come at the moment, and the kinds of their times. */
  #parent = '';
  #kinds = new Set<string>();

  /**
   * Names at most so many documents of each finding, so that memory stays constant. `migrate` is the command that mends a
   * collection, without its options.
   */
  constructor(collection: AnyCollection, maxIds: number, migrate: string) {
    this.#collection = collection;
    this.#needs = needsOf(collection);
    const { names, schema } = collection;
    this.#names = names;
    this.#readFields = documentReader(schema, names).readFields;
    this.#maxIds = maxIds;
    this.#migrate = `${migrate} --collection ${nameOf(collection)}`;
  }

  /** The stored fields that the check needs. */
  get fields(): string[] {
    const fields = Object.keys(this.#collection.schema.shape).filter((field) => field !== 'id');
    return fields.flatMap((field) => this.#names.of(field));
  }

  /** The findings, in the order in which they were found first. */
  result(): Result {
    return {
      collection: this.#collection.path,
      documents: this.#documents,
      findings: [...this.#findings.values()],
    };
  }

  add(path: string, stored: Fields): void {
    this.#documents += 1;
    const fields = this.#names.read(stored);
    const wrong = this.#wrongTypes(stored);
    for (const need of this.#needs) {
      const kinds = Object.entries(need.only ?? {});
      if (kinds.some(([name, kind]) => valueAt(fields, name)?.stringValue !== kind)) continue;
      const fault = this.#faultOf(need, stored, fields, wrong);
      if (fault === undefined) continue;
      wrong.delete(need.field);
      this.#find('lost', fault, need.otherwise, path);
    }
    for (const what of wrong.values()) {
      this.#find('wrong type', { what }, 'the service ignores the value', path);
    }
    if (nameOf(this.#collection) === 'messages') this.#requireOneKind(path, fields.timestamp);
  }

  /** What the service says of the types of a document, by field. A list with many wrong elements has one entry. */
  #wrongTypes(stored: Fields): Map<string, string> {
    const wrong = new Map<string, string>();
    this.#readFields(
      stored,
      (field, type, value) => {
        const name = this.#names.pathOf(field);
        wrong.set(field, `${name} is of the type ${kindOf(value)}, not ${typeName(type)}`);
      },
      {},
    );
    return wrong;
  }

  /** What a document lacks, if anything. */
  #faultOf(
    { field, list, isComplete, fill }: Need,
    stored: Fields,
    fields: Fields,
    wrong: ReadonlyMap<string, string>,
  ): Fault | undefined {
    const name = this.#names.pathOf(field);
    // Lists know the current name only.
    const value = list ? valueAt(stored, name) : valueAt(fields, field);
    if (value !== undefined && (list === 'order' || !isNoValue(value))) {
      const what = isComplete?.(value) === false ? `${name} is empty` : wrong.get(field);
      return what === undefined || list === 'order' ? undefined : { what };
    }
    const what = `${name} is missing`;
    if (name.includes('.')) return { what };
    const older = this.#names.of(field).find((each) => !isNoValue(stored[each] ?? NO_VALUE));
    const set = fill === undefined ? undefined : `--set ${name}=${fill} --where-missing ${name}`;
    const options = older ? `--rename ${name}=${older}` : (set ?? `--rename ${name}=OLD_NAME`);
    return {
      what: older ? `${what}: ${older} is its older name` : what,
      migration: `${this.#migrate} ${options}`,
    };
  }

  /** Firestore sorts every number before every `Timestamp`. The messages of a conversation come one after another. */
  #requireOneKind(path: string, time: Value | undefined): void {
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (parent !== this.#parent) this.#kinds = new Set();
    this.#parent = parent;
    if (time === undefined || this.#kinds.has(kindOf(time))) return;
    this.#kinds.add(kindOf(time));
    if (this.#kinds.size !== 2) return;
    this.#find(
      'lost',
      { what: 'timestamp is of several kinds' },
      'messages in a wrong order',
      parent,
    );
  }

  #find(kind: Finding['kind'], fault: Fault, consequence: string, path: string): void {
    const key = `${kind} ${fault.what}`;
    const stored = this.#findings.get(key);
    const finding: Finding = stored ?? { kind, consequence, ...fault, documents: 0, examples: [] };
    this.#findings.set(key, finding);
    finding.documents += 1;
    if (finding.examples.length < this.#maxIds) finding.examples.push(path);
  }
}

function valueAt(fields: Fields, path: string): Value | undefined {
  const [name = '', ...rest] = path.split('.');
  const value = fields[name];
  return rest.length === 0 ? value : valueAt(value?.mapValue?.fields ?? {}, rest.join('.'));
}
