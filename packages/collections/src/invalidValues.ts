import { logger } from 'firebase-functions/logger';

/** Maximum number of invalid values that a warning lists. */
const MAX_EXAMPLES = 5;

/** The stored values of a list that have a wrong type. One warning reports them. */
export class InvalidValues {
  #count = 0;
  readonly #examples: { readonly document: string; readonly field: string }[] = [];

  add(document: string, field: string): void {
    this.#count += 1;
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push({ document, field });
  }

  /** Logs one warning about all of them, if there are any. It contains their locations, never their values. */
  log(): void {
    if (this.#count === 0) return;
    const details = { count: this.#count, examples: this.#examples };
    logger.warn('Ignored stored values of the wrong type.', details);
  }
}
