/** The bare framework: functions with a constant response. */
import type { HttpFunction } from '@google-cloud/functions-framework';

const constant: HttpFunction = (_request, response) => {
  response.json({ isDone: true });
};

export const artists = { list: constant };
export const bookings = { deleteSession: constant };
export const flash = { listByArtist: constant, markAsAvailable: constant };
