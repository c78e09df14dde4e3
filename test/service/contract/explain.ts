/** Looks for an order of what happened at once that explains every answer and everything stored. */
import { isDeepStrictEqual } from 'node:util';
import {
  answered,
  perform,
  type Answer,
  type Call,
  type Documents,
  type Outcome,
} from './contract.ts';
import type { Data } from './values.ts';

/** Something that happened, and when it began and ended by the monotonic clock. */
export interface Event {
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
  /** When the call began and ended, by the time of day. */
  readonly times: readonly [number, number];
  readonly answer: Answer | { readonly status: 304 } | Failure;
  /** The body whose entity tag was sent. */
  readonly cached?: unknown;
  /** What was stored when the cursor may have been given out. */
  readonly givenOut: readonly Documents[];
  /** Whether the cursor was given out at the same time. */
  readonly isGivenOut: boolean;
  /** Whether it may have been read where its element stands, because it is not remembered. */
  readonly mayBeRead: boolean;
}

/** A 503. */
export interface Failure {
  readonly status: 503;
  readonly code: 'unavailable' | 'outcome-unknown';
}

/** A call whose outcome is unknown, and which has taken no effect so far. */
export interface Late {
  readonly exchange: Exchange;
  /** What was stored when the call ended. */
  readonly since: Documents;
}

/** Something that changes what is stored. */
interface Effect extends Event {
  readonly source: DirectWrite | Exchange | Late;
  /** Whether it may as well not have happened. */
  readonly isOptional: boolean;
  /** What may be stored after it, if it comes next. */
  readonly after: (path: readonly Documents[]) => readonly Documents[];
}

/** What was stored before and after some events, and what may have happened meanwhile. */
export interface Happening {
  readonly before: Documents;
  readonly after: Documents;
  readonly writes: readonly DirectWrite[];
  readonly exchanges: readonly Exchange[];
  readonly late: readonly Late[];
  /** Whether faults may have struck. */
  readonly hasFaults: boolean;
}

/** An order that explains what happened. */
export interface Explanation {
  /** What was stored, one after the other. */
  readonly path: readonly Documents[];
  /** The calls that may still take effect. */
  readonly late: readonly Late[];
}

/** Looks for an explanation. */
export function explain(happening: Happening): Explanation | undefined {
  const { before, after, writes, exchanges, late, hasFaults } = happening;
  const shown = JSON.stringify([after, exchanges]).matchAll(/"updatedAt":(\d+)/g);
  const updateTimes = [...new Set([...shown].map(([, ms]) => Number(ms)))];
  /** What the server's time may have been: a time that can be seen, or any that cannot. */
  const nowsOf = ({ times: [from, to] }: Exchange) => [
    from,
    ...updateTimes.filter((ms) => ms > from && ms <= to),
  ];
  const effects: Effect[] = [
    ...writes.map((source) => ({
      ...source,
      source,
      isOptional: false,
      after: afterWrite(source),
    })),
    ...exchanges.filter(mayChange).map((source) => ({
      ...{ begin: source.begin, end: source.end, source },
      isOptional: source.answer.status === 503,
      after: (path: readonly Documents[]) => [
        ...performed(source, path.at(-1) ?? before, nowsOf(source)),
        ...(hasFaults ? doneByOther(source, path, nowsOf(source)) : []),
      ],
    })),
    ...late.map((source) => ({
      ...{ begin: -Infinity, end: Infinity, source, isOptional: true },
      after: (path: readonly Documents[]) =>
        arrived(source, path.at(-1) ?? before, nowsOf(source.exchange)),
    })),
  ];
  const readers = exchanges.filter(
    (exchange) => !mayChange(exchange) && !(hasFaults && isFailure(exchange.answer, 'unavailable')),
  );
  return search([before], [], effects);

  function search(
    path: readonly Documents[],
    done: readonly Effect[],
    left: readonly Effect[],
  ): Explanation | undefined {
    const now = path.at(-1) ?? before;
    if (left.every(({ isOptional }) => isOptional) && isDeepStrictEqual(now, after)) {
      if (readers.every((reader) => isSeen(reader, path, done))) {
        return { path, late: left.flatMap(({ source }) => lateOf(source, after)) };
      }
    }
    for (const next of left) {
      const rest = left.filter((effect) => effect !== next);
      if (rest.some(({ isOptional, end }) => !isOptional && end < next.begin)) continue;
      for (const documents of next.after(path)) {
        const found = search([...path, documents], [...done, next], rest);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

function lateOf(source: Effect['source'], since: Documents): Late[] {
  if ('since' in source) return [source];
  return 'call' in source ? [{ exchange: source, since }] : [];
}

/** Whether a call may have changed something. A read is never in doubt. */
function mayChange({ call, answer }: Exchange): boolean {
  const isRead = call.operation.startsWith('GET');
  return !isRead && (answer.status === 200 || isFailure(answer, 'outcome-unknown'));
}

function isFailure(answer: Exchange['answer'], code: Failure['code']): boolean {
  return answer.status === 503 && 'code' in answer && answer.code === code;
}

function afterWrite({ written }: DirectWrite) {
  return (path: readonly Documents[]): Documents[] => {
    const all = Object.entries({ ...path.at(-1), ...written });
    return [Object.fromEntries(all.filter((entry): entry is [string, Data] => entry[1] !== null))];
  };
}

/** What may be stored after a call that was answered 200, or whose outcome is unknown. */
function performed(exchange: Exchange, documents: Documents, nows: readonly number[]): Documents[] {
  return nows.flatMap((now) => {
    const outcome = perform(exchange.call, { documents, now });
    if (!('answer' in outcome) || outcome.answer.status !== 200) return [];
    const isMeant = exchange.answer.status === 503 || matches(outcome.answer, exchange);
    return isMeant ? [outcome.documents] : [];
  });
}

/**
 * What may be stored after a call whose effect another one had: while a commit is in doubt, nobody can tell the effect
 * from the same effect of another one.
 */
function doneByOther(
  exchange: Exchange,
  path: readonly Documents[],
  nows: readonly number[],
): Documents[] {
  const isDone = path.some((earlier, index) =>
    performed(exchange, earlier, nows).some((documents) =>
      changesOf(earlier, documents).every((name) =>
        path.slice(index + 1).some((later) => isDeepStrictEqual(later[name], documents[name])),
      ),
    ),
  );
  return isDone && exchange.answer.status === 200 ? path.slice(-1) : [];
}

/** What is stored after a late effect. It fails where what it changes has been changed since. */
function arrived({ exchange, since }: Late, now: Documents, nows: readonly number[]): Documents[] {
  return performed(exchange, since, nows).flatMap((documents) => {
    const names = changesOf(since, documents);
    if (!names.every((name) => isDeepStrictEqual(now[name], since[name]))) return [];
    const others = Object.entries(now).filter(([name]) => !names.includes(name));
    const changed = Object.entries(documents).filter(([name]) => names.includes(name));
    return [Object.fromEntries([...others, ...changed])];
  });
}

/** The paths of the documents that differ. */
export function changesOf(before: Documents, after: Documents): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** Whether a call that changes nothing was answered with what was stored during the call. */
function isSeen(exchange: Exchange, path: readonly Documents[], done: readonly Effect[]): boolean {
  const { call, begin, end, times } = exchange;
  const first = 1 + done.findLastIndex((effect) => effect.end < begin);
  const beyond = done.findIndex((effect) => effect.begin > end);
  const seen = path.slice(first, beyond < 0 ? undefined : beyond + 1);
  const answers = (outcome: Outcome, index: number): boolean => {
    if ('answer' in outcome) return matches(outcome.answer, exchange);
    const from = outcome.when === 'later' ? index : 0;
    return seen.slice(from).some((later, at) => answers(answered(outcome.next, later), from + at));
  };
  const [now] = times;
  const places = [
    ...exchange.givenOut,
    ...(exchange.isGivenOut ? seen : []),
    ...(exchange.mayBeRead ? [undefined] : []),
  ];
  return seen.some((documents, index) =>
    places.some((remembered) => answers(perform(call, { documents, now, remembered }), index)),
  );
}

function matches(expected: Answer, { answer, cached }: Exchange): boolean {
  if (!('body' in expected)) return isDeepStrictEqual(expected, answer);
  const isCached = cached !== undefined && isDeepStrictEqual(expected.body, cached);
  return isCached ? answer.status === 304 : isDeepStrictEqual(expected, answer);
}
