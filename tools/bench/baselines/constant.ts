/** The lower bound of a cold start: the bare framework, and a function with a constant response. */
import type { HttpFunction } from '@google-cloud/functions-framework';

const listByArtist: HttpFunction = (_request, response) => {
  response.json({ isDone: true });
};

export const flash = { listByArtist };
