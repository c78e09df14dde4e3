/** Which documents the calls of a history create. The service chooses the ids: a new one, or the same for the same key. */
import { createdIdField } from './contract.ts';
import type { Exchange, Happening } from './explain.ts';
import type { Call } from './rules.ts';
import type { Data } from './values.ts';

/** The ids of created documents, by what `creationOf` returns. */
export type CreatedIds = Map<unknown, string>;

/** What is the same for all calls that create one document: each call its own, but those with the same key and content. */
function creationOf(call: Call): unknown {
  const { functionId, caller, params, key, body } = call;
  return key === undefined ? call : JSON.stringify([functionId, caller, params, key, body]);
}

/** The ids that a call may have given to a document: the known one, or all that may be its; undefined if it creates none. */
export function idsOf(call: Call, happening: Happening): readonly (string | undefined)[] {
  if (createdIdField(call) === undefined) return [undefined];
  const id = happening.ids.get(creationOf(call));
  return id === undefined ? unclaimedIds(happening) : [id];
}

/** The ids of new documents of which nobody knows yet which call has created them. */
function unclaimedIds({ before, after, ids }: Happening): string[] {
  const known = new Set(ids.values());
  return Object.keys(after)
    .filter((path) => !(path in before))
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
    .filter((id) => isCreatedId(id) && !known.has(id));
}

/** As Firestore's own ids: 20 letters and digits. */
function isCreatedId(id: unknown): id is string {
  return typeof id === 'string' && /^[A-Za-z0-9]{20}$/.test(id);
}

/** Learns the id of a creation from the first response that has it. No other creation may have the same. */
export function learnFromAnswer(ids: CreatedIds, { call, answer }: Exchange): void {
  const field = createdIdField(call);
  const creation = creationOf(call);
  if (field === undefined || !('body' in answer) || ids.has(creation)) return;
  const id = (answer.body as Data)[field];
  const isNew = isCreatedId(id) && ![...ids.values()].includes(id);
  ids.set(creation, isNew ? id : 'another id');
}

/** Learns the id of a creation in doubt, where only one is in doubt and only one document may be its. */
export function learnFromStored(happening: Happening): void {
  const { ids, exchanges } = happening;
  const inDoubt = exchanges
    .filter(({ answer }) => 'code' in answer && answer.code === 'outcome-unknown')
    .filter(({ call }) => createdIdField(call) !== undefined && !ids.has(creationOf(call)));
  const [creation, ...others] = new Set(inDoubt.map(({ call }) => creationOf(call)));
  const [id, ...more] = unclaimedIds(happening);
  const isCertain = inDoubt.length > 0 && others.length + more.length === 0;
  if (isCertain && id !== undefined) ids.set(creation, id);
}
