/**
 * Linearizability checker (Wing and Gong 1993): searches for an order of the operations of a step in which the model gives the same
 * responses, and leaves the same state. A step has at most four operations, so it tries all orders.
 */
import { isDeepStrictEqual } from 'node:util';
import { apply } from './contract.ts';
import type { HistoryOperation, Outcome, Response, State } from './endpointModel.ts';
import { findCollection, isTimeSchema, isTimestamp, listObjectFields, readTime } from './values.ts';

/** An operation, and the response of the service. */
interface Observation {
  readonly operation: HistoryOperation;
  readonly response: Response;
}

/** Returns undefined if a step is linearizable, otherwise the difference from the model if operations take effect in the order of sending. */
export function findDifference(before: State, observed: readonly Observation[], after: State) {
  const newPaths = Object.keys(after).filter((path) => !(path in before));
  const newIds = newPaths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  const finalState = maskServerTimes(after);
  // `unavailable` promises that the operation has no effect, now or later.
  const executed = observed.filter(({ response }) => response.code !== 'unavailable');
  return isLinearizable(before, executed) ? undefined : describeDifference();

  function isLinearizable(state: State, remaining: readonly Observation[]): boolean {
    if (remaining.length === 0) return isDeepStrictEqual(maskServerTimes(state), finalState);
    return remaining.some((first) => {
      const others = remaining.filter((observation) => observation !== first);
      return findOutcomes(first, state).some((outcome) => isLinearizable(outcome.state, others));
    });
  }

  /** Finds the outcomes of the model with this response, for each id that a new document may have. */
  function findOutcomes({ operation, response }: Observation, state: State): Outcome[] {
    const outcomes = ['', ...newIds].map((id) => apply(operation, state, id));
    return response.code === 'outcome-unknown'
      ? [{ response, state }, ...outcomes.filter((outcome) => outcome.response.code === undefined)]
      : outcomes.filter((outcome) => isDeepStrictEqual(outcome.response, response));
  }

  function describeDifference(): string {
    let state = before;
    const lines = ['Sent at once:', ...executed.map(({ operation }) => JSON.stringify(operation))];
    const expected = executed.map((observation) => {
      const { operation } = observation;
      const [outcome = apply(operation, state, newIds[0])] = findOutcomes(observation, state);
      state = outcome.state;
      return outcome.response;
    });
    const actual = { responses: executed.map(({ response }) => response), state: finalState };
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

/** Replaces times of the last minute, which the server has set, by "now". */
function maskServerTimes(state: State): State {
  const documents = Object.entries(state).map(([path, data]) => {
    const types = new Map(listObjectFields(findCollection(path).schema));
    const fields = Object.entries(data).map(([name, value]) => {
      const age = Math.abs(Date.now() - (readTime(value) ?? 0));
      if (age > 60_000 || !isTimeSchema(types.get(name))) return [name, value] as const;
      return [name, `now, as a ${isTimestamp(value) ? 'Timestamp' : 'number'}`] as const;
    });
    return [path, Object.fromEntries(fields)] as const;
  });
  return Object.fromEntries(documents);
}
