/** Looks for an order of the calls made at once that explains every answer and everything stored. */
import { isDeepStrictEqual } from 'node:util';
import { createdIdField, isRead, perform } from './contract.ts';
import { withWrites, type Answer, type Call, type Documents } from './rules.ts';
import { isMap, isObject, timeOf } from './values.ts';

/** A call and the response to it. */
export interface Exchange {
  readonly call: Call;
  readonly answer: Answer;
  /** The time of day when it began, and when it ended: the system may set the clock meanwhile. */
  readonly now: number;
  readonly until: number;
  /** When it began and ended, by the monotonic clock. */
  readonly begin: number;
  readonly end: number;
  /** What was stored at the end of the round of a call whose outcome is unknown, if it had no effect until then. */
  readonly since?: Documents;
}

/** What was stored before and after some calls. */
export interface Happening {
  readonly before: Documents;
  readonly after: Documents;
  /** Also the earlier ones that may still take effect. */
  readonly exchanges: readonly Exchange[];
  /** Whether faults may have struck. */
  readonly hasFaults: boolean;
}

interface TimedExchange extends Exchange {
  /** What the server's time may have been when it began. */
  readonly nows: readonly number[];
  /** Which ids the document that it creates may have. */
  readonly ids: readonly (string | undefined)[];
}

/** Looks for an explanation. Returns the calls that may still take effect then, or undefined if there is none. */
export function explain(happening: Happening): readonly Exchange[] | undefined {
  const { before, after, hasFaults } = happening;
  const exchanges = timed(happening);
  const done = exchanges.filter(({ answer }) => !(hasFaults && codeOf(answer) === 'unavailable'));
  const readers = done.filter((exchange) => !mayChange(exchange));
  return search([before], [], done.filter(mayChange));

  function search(
    path: readonly Documents[],
    done: readonly TimedExchange[],
    left: readonly TimedExchange[],
  ): readonly Exchange[] | undefined {
    if (left.every(isOptional) && isDeepStrictEqual(path.at(-1), after)) {
      if (readers.every((reader) => isSeen(reader, path, done))) {
        return left.map((late) => ({ since: after, ...late, until: Infinity, end: Infinity }));
      }
    }
    for (const next of left) {
      const rest = left.filter((exchange) => exchange !== next);
      if (rest.some((other) => !isOptional(other) && other.end < next.begin)) continue;
      for (const documents of possibleAfter(next, path.at(-1) ?? {})) {
        const found = search([...path, documents], [...done, next], rest);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

/** Adds which ids there may be, and what the server's time may have been: a time that can be seen, or any that cannot. */
function timed(happening: Happening): TimedExchange[] {
  const { after, exchanges } = happening;
  const shown = serverTimesOf([after, exchanges.map(({ answer }) => answer)]);
  const serverTimes = [...new Set(shown)];
  return exchanges.map((exchange) => {
    const { now, until, begin, end } = exchange;
    const earliest = Math.min(now, until);
    const latest = Math.max(now + 1 + end - begin, until);
    const possible = serverTimes.filter((ms) => ms !== now && ms >= earliest && ms <= latest);
    const nows = [now, ...possible];
    return { ...exchange, ids: idsOf(exchange, happening), nows };
  });
}

/** The ids that a call may have given to a new document: that of its answer, or any new one if it is in doubt. */
export function idsOf({ call, answer }: Exchange, { before, after }: Happening) {
  const field = createdIdField(call);
  if (field === undefined) return [undefined];
  if ('body' in answer) return [isMap(answer.body) ? String(answer.body[field]) : undefined];
  const paths = Object.keys(after).filter((path) => !(path in before));
  return paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
}

/** The times in fields `createdAt` and `updatedAt`, at any depth, of whatever kind. */
function serverTimesOf(value: unknown): number[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    /^(created|updated)At$/.test(name) ? (timeOf(member) ?? []) : serverTimesOf(member),
  );
}

/** Whether a call may have changed something. A read is never in doubt. */
function mayChange({ call, answer }: Exchange): boolean {
  return !isRead(call) && [undefined, 'outcome-unknown'].includes(codeOf(answer));
}

/** Whether a call may as well have had no effect. */
function isOptional({ answer }: Exchange): boolean {
  return answer.status === 503;
}

function codeOf(answer: Answer): string | undefined {
  return 'code' in answer ? answer.code : undefined;
}

/** What may be stored if this comes next. */
function possibleAfter(exchange: TimedExchange, now: Documents): readonly Documents[] {
  return exchange.since === undefined
    ? performed(exchange, now)
    : arrived(exchange, exchange.since, now);
}

/** What may be stored after a call that was answered 200, or whose outcome is unknown. */
function performed(exchange: TimedExchange, documents: Documents): Documents[] {
  const { call, answer, nows, ids } = exchange;
  const outcomes = ids.flatMap((id) => nows.map((now) => perform(call, { documents, now, id })));
  return outcomes
    .filter((outcome) => outcome.answer.status === 200)
    .filter((outcome) => answer.status === 503 || isDeepStrictEqual(outcome.answer, answer))
    .map((outcome) => outcome.documents);
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
  { call, answer, now, begin, end, ids: [id] }: TimedExchange,
  path: readonly Documents[],
  done: readonly Exchange[],
): boolean {
  const first = 1 + done.findLastIndex((each) => each.end < begin);
  const beyond = done.findIndex((each) => each.begin > end);
  const seen = path.slice(first, beyond < 0 ? undefined : beyond + 1);
  // A page of 100 has one element after four quarters.
  return [0, 1, 2, 3, 4].some((quarters) =>
    seen.some((earlier, from) =>
      seen.slice(from).some((documents, index) =>
        seen.some((counted) => {
          const meanwhile = seen.slice(from, from + index + 1);
          const moment = { documents, now, id, earlier, counted, meanwhile, quarters };
          return isDeepStrictEqual(perform(call, moment).answer, answer);
        }),
      ),
    ),
  );
}
