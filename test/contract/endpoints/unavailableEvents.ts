import { isId, isText, isTime } from '../accepted.ts';
import { body, many, mostly, NOW, of, owner, sentTime, storing, time } from '../arbitraries.ts';
import { bodyOf, changed, ok, owned, valid, type Entry } from '../rules.ts';

const event = storing('unavailableEvents', {
  artistId: owner,
  ...{ date: time, startTime: time, endTime: time },
});

/** Replaces the title and the times of an event. */
export const editUnavailableEvent: Entry = {
  answer(request) {
    const { id, title, date, startTime, endTime } = bodyOf(request);
    // "Sizes"; and an event that ends before it starts is none.
    valid(isId(id) && isText(title) && title !== '' && Array.from(title).length <= 200);
    valid(isTime(date) && isTime(startTime) && isTime(endTime) && endTime > startTime);
    const path = `unavailableEvents/${id}`;
    owned([path], request);
    const answer = { success: true, message: 'The unavailable event was updated.' };
    const times = { date, startTime, endTime };
    return ok(answer, changed(request.documents, path, { title }, times));
  },
  stored: many('unavailableEvents/~e', 2, event),
  send: body({
    id: mostly(['~e0', '~e1'], ['~e2']),
    title: of('Dentist', 'Holiday', '🖋'.repeat(200)),
    ...{ date: sentTime, startTime: sentTime, endTime: of(NOW + 2, NOW + 3, NOW + 3.25) },
  }),
};
