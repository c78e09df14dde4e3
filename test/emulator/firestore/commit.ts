import { risingTime } from './clock.ts';
import type { Engine } from './engine.ts';
import type { Write, WriteResult } from './messages.ts';
import { nameWritten, requireCurrent, requireFollowing, written, type Written } from './writes.ts';

/** The result of a write, and the first write of the commit to the same document. */
interface Done extends Written {
  readonly name: string;
  readonly first: Write;
}

/**
 * Applies all writes or none. Synchronous, so that nothing can change between the check of the preconditions and the
 * writes.
 */
export function commit(
  engine: Engine,
  writes: readonly Write[],
): { commitTime: object; writeResults: WriteResult[] } {
  const time = risingTime();
  const last = new Map<string, Done>();
  const done: Done[] = [];
  for (const write of writes) {
    const name = nameWritten(write);
    const before = last.get(name);
    const current = before ? before.document : engine.current(name);
    if (before) requireFollowing(write, before.first, current);
    else requireCurrent(write, name, current);
    const first = before?.first ?? write;
    const result = { name, first, ...written(write, current, time) };
    last.set(name, result);
    done.push(result);
  }
  const changed = [...last]
    .map(([name, { document }]) => [name, document] as const)
    .filter(([name, document]) => document !== engine.current(name));
  engine.store(changed, time);
  return {
    commitTime: time,
    writeResults: done.map(({ name, transformResults }) => {
      const document = last.get(name)?.document;
      return {
        // A document that the commit deletes in the end has no update time, like in Google's emulator.
        ...(document && { updateTime: document.updateTime }),
        ...(transformResults.length > 0 && { transformResults }),
      };
    }),
  };
}
