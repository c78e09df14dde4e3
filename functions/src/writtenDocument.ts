import type * as z from 'zod';

/**
 * A stored document as JSON, with the fields of a schema and no others. `firestore/` writes it, resources pass it on, and
 * `http/` sends it as it is.
 */
export class WrittenDocument<Document> {
  /** For the type only: documents of different kinds must not be confused. */
  declare protected readonly document: Document;
  readonly #schema: z.ZodType;
  readonly #json: string;

  constructor(schema: z.ZodType, json: string) {
    this.#schema = schema;
    this.#json = json;
  }

  /** The JSON, for a response with this very schema. */
  jsonFor(schema: z.ZodType): string {
    if (schema === this.#schema) return this.#json;
    throw new Error('The document was written from another schema than the response has.');
  }
}
