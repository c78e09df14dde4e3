import { risingTime } from './clock.ts';
import type { Engine } from './engine.ts';
import type { Write, WriteResult } from './messages.ts';
import {
  nameWritten,
  requireCurrent,
  written,
  type StoredDocument,
  type Written,
} from './writes.ts';

/**
 * Writes all or nothing, as the service does. All is done when it returns, so nothing can come between the preconditions
 * and what is written.
 */
export function commit(
  engine: Engine,
  writes: readonly Write[],
): { commitTime: object; writeResults: WriteResult[] } {
  const time = risingTime();
  const changed = new Map<string, StoredDocument | undefined>();
  const done: (Written & { readonly name: string })[] = [];
  for (const write of writes) {
    const name = nameWritten(write);
    const current = changed.has(name) ? changed.get(name) : engine.current(name);
    requireCurrent(write, name, current);
    const result = written(write, current, time);
    changed.set(name, result.document);
    done.push({ ...result, name });
  }
  engine.store(
    [...changed].filter(([name, document]) => document !== engine.current(name)),
    time,
  );
  return {
    commitTime: time,
    writeResults: done.map(({ name, transformResults }) => {
      const document = changed.get(name);
      return {
        // A document that is gone in the end has none, as in Google's emulator.
        ...(document && { updateTime: document.updateTime }),
        ...(transformResults.length > 0 && { transformResults }),
      };
    }),
  };
}
