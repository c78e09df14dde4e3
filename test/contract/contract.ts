/**
 * The contract: a model-based test of the service, with fault injection and a linearizability checker.
 *
 *   history: an initial state, then steps of up to four operations at once, at random (histories.ts, generators.ts)
 *      │
 *   step ──┬─> service (run.ts), perhaps with faults ──> responses and state ──┐
 *          └─> model (endpoints/*.ts), in each order ──> responses and state ──┴─> checker (linearizability.ts): are
 *                                                                                  they equal for some order?
 *
 * The reference model is executable: what `flash-reorder` does is `reorder` in endpoints/flash.ts. It was written
 * from the specification and docs/decisions.md, never from the implementation, whose bugs it would repeat. Rules of arithmetic
 * and time name, in quotation marks, the sentence of docs/decisions.md that they come from. Only the names and types of
 * stored fields are those of the declared collections.
 *
 * To keep it simple, the operations of a step only read, or only write. A step ends before the next one begins. Times that the server
 * sets are compared as "now". A new document has the id of any document that appears.
 */
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { ensure, ModelError, respond, write, type EndpointModel } from './endpointModel.ts';
import type { HistoryOperation, Outcome, State } from './endpointModel.ts';

/** The models of all endpoints, by the ids of their functions. */
export const MODELS: ReadonlyMap<string, EndpointModel> = new Map(
  globSync('test/contract/endpoints/*.ts').flatMap((file) => {
    const group = basename(file, '.ts');
    const models = jest.requireActual<Record<string, EndpointModel>>(`./endpoints/${group}.ts`);
    return Object.entries(models).map(([name, model]) => [`${group}-${name}`, model] as const);
  }),
);

/**
 * Applies an operation to a state. Returns the response, and the state afterwards. A request is checked in this order: its token, its
 * parameters and body, the existence of the documents, the permission of the caller. An error changes nothing.
 */
export function apply(operation: HistoryOperation, state: State, newId = ''): Outcome {
  if ('writes' in operation) return respond({}, write(operation.writes, state));
  const { functionId, callerId } = operation;
  const model = MODELS.get(functionId);
  if (model === undefined) throw new Error(`test/contract/endpoints has no ${functionId}.`);
  try {
    ensure(model.isPublic === true || callerId !== undefined, 'unauthenticated');
    return model.apply({ ...operation, callerId: callerId ?? '', state, newId });
  } catch (error) {
    if (error instanceof ModelError) return { response: { code: error.message }, state };
    throw error;
  }
}
