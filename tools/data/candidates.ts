import { isEqual, type Fields, type Value } from '@tattoo-marketplace/firestore-rest';
import { isDocumentId } from '../../functions/src/ids.ts';
import { isNoValue } from '../../functions/src/documents/storedNames.ts';

/** The most fields that are considered: documents may have names without end. */
const MAX_NAMES = 1000;
/** The most that are proposed. */
const MAX_PROPOSED = 3;

/** A field that may have the values of a missing one. */
export interface Candidate {
  readonly name: string;
  /** How many documents have a fitting value in it. */
  readonly documents: number;
}

interface Tally {
  documents: number;
  readonly first: Value;
  /** Whether it has several values. */
  varies: boolean;
}

/** The fields, unknown to the service, that may have the values of one that documents lack. */
export class Candidates {
  readonly #missing: string;
  readonly #tallies = new Map<string, Tally>();
  #documents = 0;

  constructor(missing: string) {
    this.#missing = missing;
  }

  /** Adds the fields beside the missing one of a document. `fits` says which of them may have its value. */
  add(beside: Fields, fits: (name: string, value: Value) => boolean): void {
    this.#documents += 1;
    for (const [name, value] of Object.entries(beside)) {
      if (isNoValue(value) || !isPlausible(value) || !fits(name, value)) continue;
      const tally = this.#tallies.get(name);
      if (tally !== undefined) {
        tally.documents += 1;
        tally.varies ||= !isEqual(tally.first, value);
      } else if (this.#tallies.size < MAX_NAMES) {
        this.#tallies.set(name, { documents: 1, first: value, varies: false });
      }
    }
  }

  /** Those that most of the documents have, the likeliest first. */
  get proposed(): readonly Candidate[] {
    return (
      [...this.#tallies]
        .filter(([, { documents }]) => documents > this.#documents / 2)
        // One value in all documents says nothing about them: a currency.
        .filter(([name, { varies }]) => varies || this.#sharedWords(name) > 0)
        .map(([name, { documents }]) => ({ name, documents }))
        .sort(
          (one, other) =>
            this.#sharedWords(other.name) - this.#sharedWords(one.name) ||
            other.documents - one.documents,
        )
        .slice(0, MAX_PROPOSED)
    );
  }

  /** `artistId` and `artist_uid` share one. */
  #sharedWords(name: string): number {
    const words = wordsOf(this.#missing);
    return wordsOf(name).filter((word) => words.includes(word)).length;
  }
}

/** A text in place of a missing one is an id or a keyword: no sentence. */
function isPlausible({ stringValue: text }: Value): boolean {
  return text === undefined || (isDocumentId(text) && !/\s/.test(text));
}

/** Without `is` and `id`, which say little. */
function wordsOf(name: string): string[] {
  const words = name.split(/(?=[A-Z])|[_\W]/).map((word) => word.toLowerCase());
  return words.filter((word) => word.length > 2);
}
