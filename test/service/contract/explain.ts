/** Looks for an order of what happened at once that explains every answer and everything stored. */
import { isDeepStrictEqual } from 'node:util';
import {
  answered,
  perform,
  type Answer,
  type Call,
  type Documents,
  type Outcome,
  type Place,
} from './contract.ts';
import type { Data } from './values.ts';

/** Something that happened between two times. */
export interface Event {
  readonly begin: number;
  readonly end: number;
}

/** A write behind the service's back. */
export interface DirectWrite extends Event {
  readonly path: string;
  readonly data: Data | undefined;
}

/** A call and the response to it. */
export interface Exchange extends Event {
  readonly call: Call;
  readonly answer: Answer | { readonly status: 304 } | Failure;
  /** The body whose entity tag was sent. */
  readonly cached?: unknown;
  /** Where the cursor's element may stand: undefined where it stands now. */
  readonly places: readonly (Place | undefined)[];
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
}

/** The calls that may still take effect later; undefined if no order explains what happened. */
export function explain({ before, after, writes, exchanges, late }: Happening): Late[] | undefined {
  const times = new Set(
    [...JSON.stringify([after, exchanges]).matchAll(/"updatedAt":(\d+)/g)].map(([, ms]) =>
      Number(ms),
    ),
  );
  const clocks = ({ begin, end }: Event) => [
    begin,
    ...[...times].filter((ms) => ms > begin && ms <= end),
  ];
  const effects: Effect[] = [
    ...writes.map((source) => ({ ...source, source, isOptional: false, after: written(source) })),
    ...exchanges.filter(mayChange).map((source) => ({
      ...{ begin: source.begin, end: source.end, source },
      isOptional: source.answer.status === 503,
      after: (path: readonly Documents[]) => performed(source, path, clocks(source)),
    })),
    ...late.map((source) => ({
      ...{ begin: -Infinity, end: Infinity, source, isOptional: true },
      after: (path: readonly Documents[]) => arrived(source, path, clocks(source.exchange)),
    })),
  ];
  const readers = exchanges.filter(
    (exchange) => !mayChange(exchange) && exchange.answer.status !== 503,
  );
  const left = search([before], [], effects);
  return left?.flatMap(({ source }) => {
    if ('since' in source) return source;
    return 'call' in source ? { exchange: source, since: after } : [];
  });

  function search(
    path: readonly Documents[],
    done: readonly Effect[],
    left: readonly Effect[],
  ): readonly Effect[] | undefined {
    const now = path.at(-1) ?? before;
    if (left.every(({ isOptional }) => isOptional) && isDeepStrictEqual(now, after)) {
      if (readers.every((reader) => isSeen(reader, path, done))) return left;
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

function mayChange({ call, answer }: Exchange): boolean {
  if (answer.status === 503) return 'code' in answer && answer.code === 'outcome-unknown';
  return answer.status === 200 && !/list|getMessages/i.test(call.operation);
}

function written({ path: name, data }: DirectWrite) {
  return (path: readonly Documents[]): Documents[] => {
    const others = Object.entries(path.at(-1) ?? {}).filter(([other]) => other !== name);
    return [
      Object.fromEntries([...others, ...(data === undefined ? [] : [[name, data] as const])]),
    ];
  };
}

/** What may be stored after a call that was answered 200, or whose outcome is unknown. */
function performed(
  exchange: Exchange,
  path: readonly Documents[],
  clocks: readonly number[],
): Documents[] {
  const { call, answer } = exchange;
  const results = (documents: Documents) =>
    clocks.flatMap((now) => {
      const outcome = perform(call, { documents, now });
      const isMeant = 'answer' in outcome && outcome.answer.status === 200;
      return isMeant && (answer.status === 503 || matches(outcome.answer, exchange))
        ? [outcome.documents]
        : [];
    });
  const now = path.at(-1) ?? {};
  // While its own outcome is in doubt, a call cannot tell its effect from the same effect of another call.
  const isDoneByOther =
    answer.status === 200 &&
    path.some((earlier, index) =>
      results(earlier).some((documents) =>
        changesOf(earlier, documents).every((name) =>
          path.slice(index + 1).some((later) => isDeepStrictEqual(later[name], documents[name])),
        ),
      ),
    );
  return [...results(now), ...(isDoneByOther ? [now] : [])];
}

/** What is stored after a late effect: only if what it changes has not been changed since it was read. */
function arrived(
  { exchange, since }: Late,
  path: readonly Documents[],
  clocks: readonly number[],
): Documents[] {
  const now = path.at(-1) ?? {};
  return performed(exchange, [since], clocks).flatMap((documents) => {
    const names = changesOf(since, documents);
    if (!names.every((name) => isDeepStrictEqual(now[name], since[name]))) return [];
    const kept = Object.entries(now).filter(([name]) => !names.includes(name));
    const changed = Object.entries(documents).filter(([name]) => names.includes(name));
    return [Object.fromEntries([...kept, ...changed])];
  });
}

function changesOf(before: Documents, after: Documents): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** Whether a call that changes nothing was answered with what was stored during the call. */
function isSeen(exchange: Exchange, path: readonly Documents[], done: readonly Effect[]): boolean {
  const { call, begin, end, places } = exchange;
  const first = 1 + done.findLastIndex((effect) => effect.end < begin);
  const beyond = done.findIndex((effect) => effect.begin > end);
  const seen = path.slice(first, beyond < 0 ? undefined : beyond + 1);
  const answers = (outcome: Outcome, index: number): boolean => {
    if ('answer' in outcome) return matches(outcome.answer, exchange);
    const from = outcome.when === 'later' ? index : 0;
    return seen.slice(from).some((later, at) => answers(answered(outcome.next, later), from + at));
  };
  return seen.some((documents, index) =>
    places.some((place) => answers(perform(call, { documents, now: begin, place }), index)),
  );
}

function matches(expected: Answer, { answer, cached }: Exchange): boolean {
  if (!('body' in expected)) return isDeepStrictEqual(expected, answer);
  const isCached = cached !== undefined && isDeepStrictEqual(expected.body, cached);
  return isCached ? answer.status === 304 : isDeepStrictEqual(expected, answer);
}
