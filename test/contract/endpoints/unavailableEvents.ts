import { isId, isText, isTime } from '../accepted.ts';
import { body, idOf, NOW, numbered, of, owner, sentTime, storing, time } from '../arbitraries.ts';
import { bodyOf, changedOwned, ok, valid, type Entry } from '../rules.ts';

const stored = storing(numbered('unavailableEvents/~e', 2), {
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
    const changes = { [`unavailableEvents/${id}`]: { title, date, startTime, endTime } };
    const answer = { success: true, message: 'The unavailable event was updated.' };
    return ok(answer, changedOwned(changes, request));
  },
  stored,
  send: body({
    id: idOf(stored),
    title: of('Dentist', 'Holiday', '🖋'.repeat(200)),
    ...{ date: sentTime, startTime: sentTime, endTime: of(NOW + 2, NOW + 3, NOW + 3.25) },
  }),
};
