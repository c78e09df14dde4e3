import { risingTime, sameTime } from './clock.ts';
import type { Engine } from './engine.ts';
import { masked } from './fieldMask.ts';
import type { Document, FieldMask, Write, WriteResult } from './messages.ts';
import {
  nameWritten,
  requireCurrent,
  written,
  type StoredDocument,
  type Written,
} from './writes.ts';

/**
 * The documents of a database, value for value, and their update times. The engine finds them; what it gives back is
 * less exact: every number is a double to it, so that a 64-bit integer loses digits and the double 1 comes back as an
 * integer, its times are whole milliseconds, and it cannot tell a write that changes nothing where there are bytes.
 */
export class Documents {
  readonly #engine: Engine;
  readonly #stored = new Map<string, StoredDocument>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Writes all or nothing. All is done when it returns: nothing can come between the preconditions and what is
   * written.
   */
  commit(writes: readonly Write[]): { commitTime: object; writeResults: WriteResult[] } {
    const time = risingTime();
    const changed = new Map<string, StoredDocument | undefined>();
    const done: (Written & { name: string })[] = [];
    for (const write of writes) {
      const name = nameWritten(write);
      this.#engine.requireDocument(name);
      const current = changed.has(name) ? changed.get(name) : this.#stored.get(name);
      requireCurrent(write, name, current);
      const result = written(write, current, time);
      changed.set(name, result.document);
      done.push({ ...result, name });
    }
    const effective = [...changed].filter(
      ([name, document]) => document !== this.#stored.get(name),
    );
    this.#engine.store(
      effective.map(([name, document]) => (document ? { update: document } : { delete: name })),
      time,
    );
    for (const [name, document] of effective) {
      if (document) this.#stored.set(name, document);
      else this.#stored.delete(name);
    }
    return {
      commitTime: time,
      writeResults: done.map(({ name, transformResults }) => ({
        // A document that is gone in the end has none, as in Google's emulator.
        ...(changed.get(name) && { updateTime: changed.get(name)?.updateTime ?? time }),
        ...(transformResults.length > 0 && { transformResults }),
      })),
    };
  }

  /** The document that the engine has found, value for value, with the fields of the mask only. */
  exact(found: Document, mask?: FieldMask | null): Document {
    const stored = this.#stored.get(found.name);
    return masked(stored ?? found, mask);
  }

  /** The same for a read at a moment that may be past: of a version that has been replaced there is the engine's only. */
  exactAt(found: Document, mask?: FieldMask | null): Document {
    const stored = this.#stored.get(found.name);
    const isPresent = stored && sameTime(stored.updateTime, found.updateTime ?? {});
    return masked(isPresent ? stored : found, mask);
  }

  /** Forgets all of them. */
  clear(): void {
    this.#stored.clear();
  }
}
