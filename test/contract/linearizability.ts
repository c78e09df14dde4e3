/**
 * Linearizability checker (Wing and Gong 1993): searches for an order of the operations of a step in which the model gives the same
 * responses, and leaves the same state. A step has at most four operations, so it tries all orders.
 */
import { isDeepStrictEqual } from 'node:util';
import { apply } from './contract.ts';
import type { Operation, Outcome, Response, State } from './model.ts';
import { findCollection, isTimeSchema, isTimestamp, listFields, readTime } from './values.ts';

export type Observed = readonly [operation: Operation, response: Response];

/** Returns undefined if the model allows what was observed of a step, otherwise what differs if it is done in the order of sending. */
export function findDifference(before: State, operations: readonly Observed[], after: State) {
  const newPaths = Object.keys(after).filter((path) => !(path in before));
  const newIds = newPaths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  const finalState = maskServerTimes(after);
  // Nothing was done, and nothing will be.
  const started = operations.filter(([, response]) => response.code !== 'unavailable');
  return isLinearizable(before, started) ? undefined : describeDifference();

  function isLinearizable(state: State, left: readonly Observed[]): boolean {
    if (left.length === 0) return isDeepStrictEqual(maskServerTimes(state), finalState);
    return left.some((next) => {
      const others = left.filter((each) => each !== next);
      return findOutcomes(next, state).some((outcome) => isLinearizable(outcome.state, others));
    });
  }

  /** Returns the outcomes that the model allows for an operation with this response, for each id that a new document may have. */
  function findOutcomes([operation, response]: Observed, state: State): Outcome[] {
    const outcomes = ['', ...newIds].map((id) => apply(operation, state, id));
    return response.code === 'outcome-unknown'
      ? [{ response, state }, ...outcomes.filter((outcome) => outcome.response.code === undefined)]
      : outcomes.filter((outcome) => isDeepStrictEqual(outcome.response, response));
  }

  function describeDifference(): string {
    let state = before;
    const lines = ['Sent at once:', ...started.map(([operation]) => JSON.stringify(operation))];
    const expected = started.map((observed) => {
      const [outcome = apply(observed[0], state, newIds[0])] = findOutcomes(observed, state);
      state = outcome.state;
      return outcome.response;
    });
    const actual = { responses: started.map(([, response]) => response), state: finalState };
    const expectedState = maskServerTimes(state);
    const paths = Object.keys({ ...expectedState, ...finalState }).filter(
      (path) => !isDeepStrictEqual(expectedState[path], finalState[path]),
    );
    lines.push(`Stored documents that differ: ${paths.join(', ') || 'none'}`);
    try {
      expect(actual).toEqual({ responses: expected, state: expectedState });
    } catch (error) {
      lines.push((error as Error).message.replace(/^.*\n+/, ''));
    }
    return lines.join('\n');
  }
}

/** A state in which times of the last minute, which the server has set, are "now". */
function maskServerTimes(state: State): State {
  const documents = Object.entries(state).map(([path, data]) => {
    const types = new Map(listFields(findCollection(path).schema));
    const fields = Object.entries(data).map(([name, value]) => {
      const age = Math.abs(Date.now() - (readTime(value) ?? 0));
      if (age > 60_000 || !isTimeSchema(types.get(name))) return [name, value] as const;
      return [name, `now, as a ${isTimestamp(value) ? 'Timestamp' : 'number'}`] as const;
    });
    return [path, Object.fromEntries(fields)] as const;
  });
  return Object.fromEntries(documents);
}
