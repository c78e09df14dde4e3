import type { Fields, Value } from '@tattoo-marketplace/firestore-rest';
import * as z from 'zod';
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
import { shellArgument } from '../checks/commandLine.ts';
import { withoutWrappers } from '../../functions/src/wrappers.ts';
import { Candidates, type Candidate } from './candidates.ts';
import { converted, KINDS, type Kind } from './conversions.ts';
import { kindOf, typeName } from './fieldTypes.ts';
import { needsOf, type Need } from './needs.ts';
import { valueAt, withValue } from './paths.ts';

/** A command that mends documents of a finding. */
export interface Mend {
  /** What it mends: `4000 have a fitting value in position. If it means the same`. */
  readonly what: string;
  readonly command: string;
}

/** Something that is wrong with documents of a collection. */
export interface Finding {
  /** `lost`: the service does not find the documents, or refuses them. `wrong type`: it leaves the values out. */
  readonly kind: 'lost' | 'wrong type';
  /** `order is missing`, or `price.amount is of the type number, not text`. */
  readonly what: string;
  /** What happens to the documents. */
  readonly consequence: string;
  readonly documents: number;
  /** The paths of the first few, or of all. */
  readonly examples: readonly string[];
  /** In the order in which to try them. */
  readonly mends: readonly Mend[];
}

/** What is wrong with one document. */
interface Fault {
  readonly what: string;
  /** What is missing, by its stored path. */
  readonly missing?: Missing;
  /** A value that can be converted: where it is stored, and to which kind. */
  readonly convert?: { readonly path: string; readonly kind: Kind };
}

interface Missing {
  readonly path: string;
  readonly need: Need;
  readonly older: string | undefined;
}

/** A finding that more documents are added to. */
interface Tally {
  readonly kind: Finding['kind'];
  readonly fault: Fault;
  readonly consequence: string;
  documents: number;
  readonly examples: string[];
  readonly candidates: Candidates;
  /** How the value is converted where it can be, and in how many documents. */
  convert: Fault['convert'];
  convertible: number;
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
  /** The names that the service knows. */
  readonly #known: ReadonlySet<string>;
  /** How many documents have a number in a field, less those that have a `Timestamp` or need one: by field. */
  readonly #numbers = new Map<string, number>();
  #documents = 0;
  readonly #tallies = new Map<string, Tally>();
  /** The conversation whose messages are being read, and the kinds of their times so far. */
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
    this.#known = new Set(names.mask(Object.keys(schema.shape)));
    this.#maxIds = maxIds;
    this.#migrate = `${migrate} --collection ${shellArgument(collection.path)}`;
  }

  /** The findings, in the order in which they were found first. */
  result(): Result {
    return {
      collection: this.#collection.path,
      documents: this.#documents,
      findings: [...this.#tallies.values()].map((tally) => this.#findingOf(tally)),
    };
  }

  add(path: string, stored: Fields): void {
    this.#documents += 1;
    const fields = this.#names.read(stored);
    for (const [name, value] of Object.entries(fields)) this.#countTime(name, value);
    const wrong = this.#wrongTypes(stored);
    for (const need of this.#needs) {
      const kinds = Object.entries(need.only ?? {});
      if (kinds.some(([name, kind]) => valueAt(fields, name)?.stringValue !== kind)) continue;
      const fault = this.#faultOf(need, stored, fields, wrong);
      if (fault === undefined) continue;
      wrong.delete(need.field);
      this.#find('lost', fault, need.otherwise, path, stored);
    }
    for (const fault of wrong.values()) {
      this.#find('wrong type', fault, 'the service ignores the value', path, stored);
    }
    if (nameOf(this.#collection) === 'messages') this.#requireOneKind(path, fields.timestamp);
  }

  #countTime(name: string, value: Value): void {
    const kind = kindOf(value);
    const one = kind === 'number' ? 1 : kind === 'timestamp' || preciseTime(value) ? -1 : 0;
    if (one !== 0) this.#numbers.set(name, (this.#numbers.get(name) ?? 0) + one);
  }

  /** What the service says of the types of a document, by field. A list with many wrong elements has one entry. */
  #wrongTypes(stored: Fields): Map<string, Fault> {
    const wrong = new Map<string, Fault>();
    this.#readFields(
      stored,
      (field, type, value) => {
        const path = this.#storedPath(field, stored);
        const kind = kindFor(type);
        const next =
          kind && (converted(value, kind) ?? (kind === 'time' ? preciseTime(value) : undefined));
        // A list is converted with all its elements, or not at all.
        const before = wrong.get(field);
        const isSure = next !== undefined && (before === undefined || before.convert !== undefined);
        wrong.set(field, {
          what: `${path} is of the type ${kindOf(value)}, not ${typeName(type)}`,
          ...(kind && isSure && next !== value && { convert: { path, kind } }),
        });
      },
      {},
    );
    return wrong;
  }

  /** Where a field of a document is stored, perhaps under an older name. */
  #storedPath(field: string, stored: Fields): string {
    const [, name = '', rest = ''] = /^(\w+)(.*)$/.exec(field) ?? [];
    const names = this.#names.of(name);
    return `${names.find((each) => !isNoValue(stored[each] ?? NO_VALUE)) ?? names[0]}${rest}`;
  }

  /** What a document lacks, if anything. */
  #faultOf(
    need: Need,
    stored: Fields,
    fields: Fields,
    wrong: ReadonlyMap<string, Fault>,
  ): Fault | undefined {
    const { field, list, isComplete } = need;
    const path = this.#names.pathOf(field);
    // Lists know the current name only.
    const value = list ? valueAt(stored, path) : valueAt(fields, field);
    if (value !== undefined && (list === 'order' || !isNoValue(value))) {
      if (isComplete?.(value) === false && !wrong.get(field)) return { what: `${path} is empty` };
      return list === 'order' ? undefined : wrong.get(field);
    }
    const older = this.#names.of(field).find((each) => !isNoValue(stored[each] ?? NO_VALUE));
    const what = `${path} is missing${older ? `: ${older} is its older name` : ''}`;
    return { what, missing: { path, need, older } };
  }

  /** Firestore sorts every number before every `Timestamp`. The messages of a conversation come one after another. */
  #requireOneKind(path: string, time: Value | undefined): void {
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (parent !== this.#parent) this.#kinds = new Set();
    this.#parent = parent;
    if (time === undefined || this.#kinds.has(kindOf(time))) return;
    this.#kinds.add(kindOf(time));
    if (this.#kinds.size !== 2) return;
    const name = this.#names.pathOf('timestamp');
    const fault = {
      what: `${name} is of several kinds`,
      convert: { path: name, kind: 'time' },
    } as const;
    this.#find('lost', fault, 'messages in a wrong order', parent, {});
  }

  #find(
    kind: Finding['kind'],
    fault: Fault,
    consequence: string,
    path: string,
    stored: Fields,
  ): void {
    const key = `${kind} ${fault.what}`;
    const { missing, convert } = fault;
    const tally: Tally = this.#tallies.get(key) ?? {
      ...{ kind, fault, consequence, documents: 0, examples: [], convert, convertible: 0 },
      candidates: new Candidates(missing?.path ?? ''),
    };
    this.#tallies.set(key, tally);
    tally.documents += 1;
    if (tally.examples.length < this.#maxIds) tally.examples.push(path);
    if (missing) this.#addCandidates(tally.candidates, missing, stored);
    tally.convert ??= convert;
    if (convert) tally.convertible += 1;
  }

  /** The fields beside a missing one that the service does not know. */
  #addCandidates(candidates: Candidates, { path, need }: Missing, stored: Fields): void {
    const map = mapOf(path);
    const { schema } = this.#collection;
    const known = map === '' ? this.#known : new Set(namesIn(schema, mapOf(need.field)));
    const beside = map === '' ? stored : valueAt(stored, map)?.mapValue?.fields;
    candidates.add(beside ?? {}, (name, value) => {
      if (known.has(name) || !NAME.test(name)) return false;
      let isWrong = need.isComplete?.(value) === false;
      const onWrong = () => {
        isWrong = true;
      };
      this.#readFields(
        withValue({}, path, () => value),
        onWrong,
        {},
      );
      return !isWrong;
    });
  }

  #findingOf({ candidates, convert, convertible, fault, ...finding }: Tally): Finding {
    const { what, missing } = fault;
    const part = convertible === finding.documents ? '' : ` in ${convertible}`;
    const mends = [
      ...(missing ? this.#mendsOfMissing(missing, candidates.proposed) : []),
      ...(convert ? [{ what: `To convert it${part}`, options: this.#optionsOf(convert) }] : []),
    ].map((mend) => ({ what: mend.what, command: `${this.#migrate} ${mend.options}` }));
    return { ...finding, what, mends };
  }

  /** A constant comes last: it would hide what another field says. */
  #mendsOfMissing({ path, need, older }: Missing, candidates: readonly Candidate[]) {
    if (older) return [{ what: 'To rename it', options: `--rename ${path}=${older}` }];
    const map = path.slice(0, path.lastIndexOf('.') + 1);
    const moves = candidates.map(({ name, documents }) => ({
      what: `${documents} have a fitting value in ${map}${name}. If it means the same`,
      options: `--rename ${path}=${map}${name}`,
    }));
    if (map !== '') return moves;
    if (need.fill === undefined) {
      const rename = { what: 'If another field has it', options: `--rename ${path}=OLD_NAME` };
      return moves.length > 0 ? moves : [rename];
    }
    const set = `--set ${path}=${need.fill} --where-missing ${path}`;
    const others = moves.length > 0 ? 'To give the others one value' : 'To give them one value';
    return [...moves, { what: others, options: set }];
  }

  /** The times of a field stay of the kind that most of them have. */
  #optionsOf({ path, kind }: NonNullable<Fault['convert']>): string {
    const isNumber = (this.#numbers.get(path) ?? 0) >= 0;
    return `--convert ${shellArgument(`${path}=${kind === 'time' && !isNumber ? 'timestamp' : kind}`)}`;
  }
}

/** The time in a text that only a `Timestamp` can have: with microseconds. */
function preciseTime(value: Value): Value | undefined {
  const isText = value.stringValue !== undefined;
  return isText && !converted(value, 'time') ? converted(value, 'timestamp') : undefined;
}

const NAME = /^[A-Za-z_]\w*$/;

/** The kind that a value of a type can be converted to, if any. */
function kindFor(type: z.core.$ZodType): Kind | undefined {
  const name = typeName(type);
  return name === 'list of texts' ? 'list' : KINDS.find((kind) => kind === name);
}

/** The path of the map that a field is in; empty if it is in none. */
function mapOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/** The names of the members of a map; of the schema itself, if the path is empty. */
function namesIn(schema: z.core.$ZodType, path: string): readonly string[] {
  const shape: z.core.$ZodShape = schema instanceof z.ZodObject ? schema.shape : {};
  const [name = '', ...rest] = path.split('.');
  const member = shape[name];
  return member ? namesIn(withoutWrappers(member), rest.join('.')) : Object.keys(shape);
}
