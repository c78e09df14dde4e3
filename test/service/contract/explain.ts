/** Looks for an order of what happened at once that explains every answer and everything stored. */
import { isDeepStrictEqual } from 'node:util';
import { perform, type Answer, type Call, type Documents, type Moment } from './contract.ts';
import type { Data } from './values.ts';

/** Something that happened, and when it began and ended by the monotonic clock. */
interface Event {
  readonly begin: number;
  readonly end: number;
}

/** A write behind the service's back. */
export interface DirectWrite extends Event {
  readonly written: Writes;
}

/** Documents to store as a whole, or null to delete them. */
export type Writes = Readonly<Record<string, Data | null>>;

/** A call and the response to it. */
export interface Exchange extends Event {
  readonly call: Call;
  readonly answer: Answer;
  /** When the call began and ended, by the time of day. */
  readonly times: readonly [number, number];
  /** The list and the cursor of the page that it asked for, and of the next page. */
  readonly page?: string | undefined;
  readonly nextPage?: string | undefined;
  /** What was stored at the end of the round of a call whose outcome is unknown, if it had no effect until then. */
  readonly since?: Documents;
}

/** What was stored before and after some events, and what may have happened meanwhile. */
export interface Happening {
  readonly before: Documents;
  readonly after: Documents;
  readonly writes: readonly DirectWrite[];
  /** Also the earlier calls that may still take effect. */
  readonly exchanges: readonly Exchange[];
  /** What was stored when cursors were last given out, in an earlier round. */
  readonly givenOut: ReadonlyMap<string, readonly Documents[]>;
  /** Whether faults may have struck. */
  readonly hasFaults: boolean;
}

/** An order that explains what happened. */
export interface Explanation {
  /** What was stored, one after the other. */
  readonly path: readonly Documents[];
  /** The calls that may still take effect. */
  readonly late: readonly Exchange[];
}

interface TimedExchange extends Exchange {
  /** What the server's time may have been when it began. */
  readonly nows: readonly number[];
}

/** Something that may have changed what is stored. */
type Effect = DirectWrite | TimedExchange;

/** Looks for an explanation. */
export function explain(happening: Happening): Explanation | undefined {
  const { before, after, writes, hasFaults } = happening;
  const exchanges = timed(happening);
  const done = exchanges.filter(({ answer }) => !(hasFaults && isFailure(answer, 'unavailable')));
  const readers = done.filter((exchange) => !mayChange(exchange));
  return search([before], [], [...writes, ...done.filter(mayChange)]);

  function search(
    path: readonly Documents[],
    done: readonly Effect[],
    left: readonly Effect[],
  ): Explanation | undefined {
    if (left.every(isOptional) && isDeepStrictEqual(path.at(-1), after)) {
      if (readers.every((reader) => isSeen(reader, path, done, happening))) {
        const late = left.flatMap((effect) =>
          'call' in effect ? [{ since: after, ...effect, end: Infinity }] : [],
        );
        return { path, late };
      }
    }
    for (const next of left) {
      const rest = left.filter((effect) => effect !== next);
      if (rest.some((effect) => !isOptional(effect) && effect.end < next.begin)) continue;
      for (const documents of possibleAfter(next, path, hasFaults)) {
        const found = search([...path, documents], [...done, next], rest);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

/** Adds what the server's time may have been: a time that can be seen, or any that cannot. */
function timed({ after, exchanges }: Happening): TimedExchange[] {
  const shown = JSON.stringify([after, exchanges]).matchAll(/"updatedAt":(\d+)/g);
  const updateTimes = [...new Set([...shown].map(([, ms]) => Number(ms)))];
  return exchanges.map((exchange) => {
    const [from, to] = exchange.times;
    return { ...exchange, nows: [from, ...updateTimes.filter((ms) => ms > from && ms <= to)] };
  });
}

/** Whether a call may have changed something. A read is never in doubt. */
function mayChange({ call, answer }: Exchange): boolean {
  const isRead = call.operation.startsWith('GET');
  return !isRead && (answer.status === 200 || isFailure(answer, 'outcome-unknown'));
}

/** Whether something may as well not have happened. */
function isOptional(effect: Effect): boolean {
  return 'call' in effect && effect.answer.status === 503;
}

function isFailure(answer: Answer, code: 'unavailable' | 'outcome-unknown'): boolean {
  return isDeepStrictEqual(answer, { status: 503, code });
}

/** What may be stored if this comes next. */
function possibleAfter(
  effect: Effect,
  path: readonly Documents[],
  hasFaults: boolean,
): readonly Documents[] {
  const now = path.at(-1) ?? {};
  if ('written' in effect) return [withWrites(now, effect.written)];
  if (effect.since !== undefined) return arrived(effect, effect.since, now);
  return [...performed(effect, now), ...(hasFaults ? doneByOther(effect, path) : [])];
}

function withWrites(documents: Documents, written: Writes): Documents {
  const all = Object.entries({ ...documents, ...written });
  return Object.fromEntries(all.filter((entry): entry is [string, Data] => entry[1] !== null));
}

/** What may be stored after a call that was answered 200, or whose outcome is unknown. */
function performed({ call, answer, nows }: TimedExchange, documents: Documents): Documents[] {
  return nows.flatMap((now) => {
    const outcome = perform(call, { documents, now });
    const isMeant = answer.status === 503 || isDeepStrictEqual(outcome.answer, answer);
    return outcome.answer.status === 200 && isMeant ? [outcome.documents] : [];
  });
}

/**
 * What may be stored after a call whose effect another one had: while a commit is in doubt, nobody can tell the effect
 * from the same effect of another one.
 */
function doneByOther(exchange: TimedExchange, path: readonly Documents[]): readonly Documents[] {
  const isDone = path.some((earlier, index) =>
    performed(exchange, earlier).some((documents) =>
      changesOf(earlier, documents).every((name) =>
        path.slice(index + 1).some((later) => isDeepStrictEqual(later[name], documents[name])),
      ),
    ),
  );
  return isDone && exchange.answer.status === 200 ? path.slice(-1) : [];
}

/** What is stored after a late effect. It fails where what it changes has been changed since. */
function arrived(exchange: TimedExchange, since: Documents, now: Documents): Documents[] {
  return performed(exchange, since).flatMap((documents) => {
    const names = changesOf(since, documents);
    if (!names.every((name) => isDeepStrictEqual(now[name], since[name]))) return [];
    return [
      withWrites(now, Object.fromEntries(names.map((name) => [name, documents[name] ?? null]))),
    ];
  });
}

/** The paths of the documents that differ. */
export function changesOf(before: Documents, after: Documents): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** Whether a call that changes nothing was answered with what was stored during the call. */
function isSeen(
  { call, answer, begin, end, times: [now], page }: Exchange,
  path: readonly Documents[],
  done: readonly Effect[],
  { exchanges, givenOut }: Happening,
): boolean {
  const first = 1 + done.findLastIndex((effect) => effect.end < begin);
  const beyond = done.findIndex((effect) => effect.begin > end);
  const seen = path.slice(first, beyond < 0 ? undefined : beyond + 1);
  const remembered = givenOut.get(page ?? '') ?? [undefined];
  const isGivenOutNow = exchanges.some(({ nextPage }) => page && nextPage === page);
  const places = [...remembered, ...(isGivenOutNow ? seen : [])];
  const moments = seen.flatMap((earlier, index) =>
    seen
      .slice(index)
      .flatMap((documents) =>
        seen.flatMap((counted) =>
          places.map((place): Moment => ({ documents, now, earlier, counted, remembered: place })),
        ),
      ),
  );
  return moments.some((moment) => isDeepStrictEqual(perform(call, moment).answer, answer));
}
