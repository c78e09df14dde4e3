import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';
import type { Collection, Need } from './collections.ts';
import { compareTypes, hasType, isNothing, kindOf, typeName } from './fieldTypes.ts';

/** Something that is wrong with documents of a collection. */
export interface Finding {
  /** `lost`: the service does not find the documents, or refuses them. `wrong type`: it leaves the values out. */
  readonly kind: 'lost' | 'wrong type';
  /** `order is missing`, or `price.amount is a number, not text`. */
  readonly what: string;
  /** What happens to the documents. */
  readonly consequence: string;
  documents: number;
  /** The paths of the first few, or of all. */
  readonly examples: string[];
  /** The command that mends it, where one can. */
  readonly migration?: string;
}

/** What a check of a collection found. */
export interface Result {
  readonly collection: string;
  readonly documents: number;
  readonly findings: readonly Finding[];
}

/** Checks the documents of one collection, one after another. */
export class CollectionCheck {
  readonly #collection: Collection;
  readonly #maxIds: number;
  #documents = 0;
  readonly #findings = new Map<string, Finding>();
  /** The conversation of the messages that come at the moment, and the kinds of their times. */
  #parent = '';
  #kinds = new Set<string>();

  /** Names at most so many documents of each finding, so that memory stays constant. */
  constructor(collection: Collection, maxIds: number) {
    this.#collection = collection;
    this.#maxIds = maxIds;
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
    const reported = new Set<string>();
    for (const need of this.#collection.needs) {
      const fault = faultOf(need, fields);
      if (fault === undefined) continue;
      reported.add(need.field);
      this.#find('lost', fault, need.otherwise, path, this.#migrationOf(need, fault));
    }
    const wrong = new Set<string>();
    compareTypes(this.#collection.schema, fields, (field, expected, found) => {
      if (!reported.has(field))
        wrong.add(`${field} is ${withArticle(found)}, not ${withArticle(expected)}`);
    });
    // A list with many wrong elements is one document.
    for (const what of wrong) this.#find('wrong type', what, this.#collection.otherwise, path);
    if (this.#collection.name === 'messages') this.#requireOneKind(path, fields.timestamp);
  }

  /** Firestore sorts every number before every `Timestamp`. The messages of a conversation come one after another. */
  #requireOneKind(path: string, time: Value | undefined): void {
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (parent !== this.#parent) this.#kinds = new Set();
    this.#parent = parent;
    if (time === undefined || this.#kinds.has(kindOf(time))) return;
    this.#kinds.add(kindOf(time));
    if (this.#kinds.size !== 2) return;
    this.#find('lost', 'timestamp is of several kinds', 'messages in a wrong order', parent);
  }

  /** How to mend a missing field of the document itself. */
  #migrationOf({ field, fill }: Need, fault: string): string | undefined {
    if (!fault.endsWith(' is missing') || field.includes('.')) return undefined;
    const options =
      fill === undefined
        ? `--rename ${field}=OLD_NAME`
        : `--set ${field}=${fill} --where-missing ${field}`;
    return `npm run migrate -- --project YOUR_PROJECT --collection ${this.#collection.name} ${options}`;
  }

  #find(
    kind: Finding['kind'],
    what: string,
    consequence: string,
    path: string,
    migration?: string,
  ): void {
    const key = `${kind} ${what}`;
    const finding = this.#findings.get(key) ?? {
      ...{ kind, what, consequence, documents: 0, examples: [], ...(migration && { migration }) },
    };
    this.#findings.set(key, finding);
    finding.documents += 1;
    if (finding.examples.length < this.#maxIds) finding.examples.push(path);
  }
}

/** What a document lacks, if anything. */
function faultOf({ field, type, isComplete, only }: Need, fields: Fields): string | undefined {
  if (only?.(fields) === false) return undefined;
  const value = valueAt(fields, field);
  if (value === undefined || (type !== undefined && isNothing(value))) return `${field} is missing`;
  if (type === undefined) return undefined;
  if (!hasType(type, value)) {
    return `${field} is ${withArticle(kindOf(value))}, not ${withArticle(typeName(type))}`;
  }
  return isComplete?.(value) === false ? `${field} names nobody` : undefined;
}

function valueAt(fields: Fields, path: string): Value | undefined {
  const [name = '', ...rest] = path.split('.');
  const value = fields[name];
  return rest.length === 0 ? value : valueAt(value?.mapValue?.fields ?? {}, rest.join('.'));
}

function withArticle(kind: string): string {
  if (/^(bytes|null|text|one of .*)$/.test(kind)) return kind;
  return kind === 'integer' ? 'an integer' : `a ${kind}`;
}
