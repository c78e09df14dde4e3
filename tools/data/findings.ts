import { getFieldValue, type Fields } from '@tattoo-marketplace/firestore-rest';
import { type Collection, isPresent } from '@tattoo-marketplace/collections';
import { typeName } from '../generate/collections.ts';
import { getFieldRequirements, type FieldRequirement } from './requirements.ts';

/** How many documents of a finding are named. */
const EXAMPLES = 5;

/** Something that is wrong with documents of a collection: how many, and the paths of the first few. */
interface Finding {
  documents: number;
  readonly examples: string[];
}

/** Checks the documents of one collection, one after another. */
export class CollectionCheck {
  readonly #needs: readonly FieldRequirement[];
  readonly #readFields;
  documents = 0;
  /** By what is wrong: `order is missing`, `price.amount is stored as integer; expected: text`. */
  readonly findings = new Map<string, Finding>();

  constructor(collection: Collection) {
    this.#needs = getFieldRequirements(collection);
    this.#readFields = collection.decoder.decodeFields;
  }

  add(path: string, fields: Fields): void {
    this.documents += 1;
    const wrong = new Set<string>();
    for (const { field, mayBeNull, appliesWhen = {} } of this.#needs) {
      const kinds = Object.entries(appliesWhen);
      if (kinds.some(([name, kind]) => getFieldValue(fields, name)?.stringValue !== kind)) continue;
      const value = getFieldValue(fields, field);
      if (mayBeNull ? value === undefined : !isPresent(value)) wrong.add(`${field} is missing`);
    }
    this.#readFields(fields, (field, type, value) => {
      const kind = Object.keys(value)[0]?.replace(/Value$/, '');
      wrong.add(`${field} is stored as ${kind}; expected: ${typeName(type)}`);
    });
    for (const what of wrong) {
      const finding = this.findings.get(what) ?? { documents: 0, examples: [] };
      this.findings.set(what, finding);
      finding.documents += 1;
      if (finding.examples.length < EXAMPLES) finding.examples.push(path);
    }
  }
}
