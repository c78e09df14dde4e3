import fc from 'fast-check';
import { createPaths, generateDocuments, NOW, owner, pickId, vary } from '../generators.ts';
import {
  ensureValid,
  parseBody,
  respond,
  changeOwned,
  type EndpointModel,
} from '../endpointModel.ts';
import { isId, isText, isTime } from '../values.ts';

const events = generateDocuments(createPaths('unavailableEvents/~e', 2), { artistId: owner });

/** Replaces the title and the times of an event. */
export const editUnavailableEvent: EndpointModel = {
  apply(request) {
    const { id, title, date, startTime, endTime } = parseBody(request);
    // "Sizes".
    ensureValid(isId(id) && isText(title, 200));
    ensureValid(isTime(date) && isTime(startTime) && isTime(endTime) && endTime > startTime);
    const change = { title, date, startTime, endTime };
    const state = changeOwned({ [`unavailableEvents/${id}`]: change }, request);
    return respond({ success: true, message: 'The unavailable event was updated.' }, state);
  },
  documents: events,
  request: {
    body: {
      id: pickId(events),
      title: fc.constantFrom('Dentist', 'Holiday', '🖋'.repeat(200)),
      endTime: vary([NOW + 2, NOW + 3], [NOW]),
    },
  },
};
