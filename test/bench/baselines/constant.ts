/** The floor of a cold start: the bare framework, and a function that answers a constant. */
import type { HttpFunction } from '@google-cloud/functions-framework';

export const baseline: HttpFunction = (_request, response) => {
  response.json({ isDone: true });
};
