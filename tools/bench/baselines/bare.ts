/** The bare framework: functions with a constant response. */
import type { HttpFunction } from '@google-cloud/functions-framework';

const respond: HttpFunction = (_request, response) => {
  response.json({ isDone: true });
};

export const artists = { list: respond };
export const bookings = { deleteSession: respond };
export const flash = { listByArtist: respond, markAsAvailable: respond };
