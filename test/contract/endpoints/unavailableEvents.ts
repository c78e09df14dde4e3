import { documents, idOf, mostly, NOW, numbered, oneOf, owner } from '../generators.ts';
import { bodyOf, ensureValid, ok, updateOwned, type EndpointModel } from '../model.ts';
import { isId, isText, isTime } from '../values.ts';

const events = documents(numbered('unavailableEvents/~e', 2), { artistId: owner });

/** Replaces the title and the times of an event. */
export const editUnavailableEvent: EndpointModel = {
  apply(request) {
    const { id, title, date, startTime, endTime } = bodyOf(request);
    // "Sizes".
    ensureValid(isId(id) && isText(title, 200));
    ensureValid(isTime(date) && isTime(startTime) && isTime(endTime) && endTime > startTime);
    const change = { title, date, startTime, endTime };
    const state = updateOwned({ [`unavailableEvents/${id}`]: change }, request);
    return ok({ success: true, message: 'The unavailable event was updated.' }, state);
  },
  documents: events,
  request: {
    body: {
      id: idOf(events),
      title: oneOf('Dentist', 'Holiday', '🖋'.repeat(200)),
      endTime: mostly([NOW + 2, NOW + 3], [NOW]),
    },
  },
};
