/**
 * The contract as a program: what each function of the service answers, and what is stored afterwards. Whoever wants to
 * know what an endpoint does reads its entry first: `flash-reorder` is `reorder` in endpoints/flash.ts. The tests in this
 * folder send random calls to the service, several at once, and fail unless some order of the calls explains every answer
 * and everything stored.
 *
 * It was written from the specification and from docs/decisions.md, never from the code: a rule that was copied from there
 * would bless its faults. Rules of arithmetic and time therefore name, in quotation marks, the sentence of
 * docs/decisions.md that they come from. Only the names and kinds of stored fields are those of the declared collections.
 */
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import {
  demand,
  ok,
  Refusal,
  STATUSES,
  withWrites,
  type Call,
  type Code,
  type Entry,
  type Moment,
  type Outcome,
} from './rules.ts';

/** The entries of each resource, by the ids of their functions. */
export const RESOURCES: readonly ReadonlyMap<string, Entry>[] = globSync(
  'test/contract/endpoints/*.ts',
)
  .sort()
  .map((file) => {
    const group = basename(file, '.ts');
    const entries = jest.requireActual<Readonly<Record<string, Entry>>>(`./endpoints/${group}.ts`);
    return new Map(Object.entries(entries).map(([name, entry]) => [`${group}-${name}`, entry]));
  });

/** The entries of all functions, by their ids. */
export const ENTRIES: ReadonlyMap<string, Entry> = new Map(
  RESOURCES.flatMap((entries) => [...entries]),
);

/**
 * What a call does. It checks the token, then the body and the query, then whether the documents exist, then whether
 * they are the caller's. A refused call changes nothing.
 */
export function perform(call: Call, moment: Moment): Outcome {
  const { functionId, caller, written } = call;
  // Another program writes directly to the database.
  if (written !== undefined) return ok({}, withWrites(moment.documents, written));
  try {
    const { isPublic, answer } = entryOf(functionId);
    demand(isPublic === true || caller !== undefined, 'unauthenticated');
    return answer({ ...call, caller: caller ?? '', ...moment });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const code = error.message as Code;
    return { answer: { status: STATUSES[code], code }, documents: moment.documents };
  }
}

/** Whether a call changes nothing. */
export function isRead({ functionId, written }: Call): boolean {
  return written === undefined && entryOf(functionId).isRead === true;
}

/** The field of a call's response with the id of the document that it creates, if it does. */
export function createdIdField({ functionId, written }: Call): string | undefined {
  return written === undefined ? entryOf(functionId).creates : undefined;
}

function entryOf(functionId: string): Entry {
  const entry = ENTRIES.get(functionId);
  if (entry === undefined) throw new Error(`The contract has no ${functionId}.`);
  return entry;
}
