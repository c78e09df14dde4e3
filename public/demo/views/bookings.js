import { api, attempt, demo, ownDemo, remember } from '../api.js';
import { h, notify } from '../dom.js';
import { dayOf, timeOf } from '../times.js';

/** The artist's bookings, with their sessions. The API cannot list them, so this view only knows those of the demo data. */
export async function bookings() {
  const known = ownDemo()?.bookings ?? [];
  return [
    h('h1', {}, 'Bookings'),
    h(
      'p',
      { class: 'hint' },
      'The API deletes sessions, but has no list of bookings. ',
      known.length > 0
        ? 'These are the ones of the demo data, without the sessions that you have deleted in this tab.'
        : 'The demo data has none of yours.',
    ),
    h('ul', { class: 'choices', role: 'list' }, known.map(bookingCard)),
  ];
}

function bookingCard({ id, clientId, sessions }) {
  const list = h('ul', { class: 'rows', role: 'list' });
  list.append(...sessions.map((session) => sessionRow(id, session)));
  return h('li', { class: 'card' }, h('h2', {}, demo.names[clientId]), list);
}

function sessionRow(bookingId, { sessionNumber, startTime, notes }) {
  const title = `${sessionNumber}. ${notes}`;
  const row = h(
    'li',
    {},
    h('div', {}, h('strong', {}, title), h('p', {}, `${dayOf(startTime)}, ${timeOf(startTime)}`)),
    h(
      'button',
      { class: 'quiet', 'aria-label': `Delete session ${title}`, onclick: () => remove() },
      'Delete',
    ),
  );
  const remove = async () => {
    if (!confirm(`Delete session ${title} on ${dayOf(startTime)}? This cannot be undone.`)) return;
    const isDeleted = await attempt(async () => {
      try {
        await api.bookings.deleteSession({ bookingId, sessionNumber });
        notify('The session is deleted.');
      } catch (error) {
        if (error.code !== 'not-found') throw error;
        notify('This session was deleted before.');
      }
    });
    if (!isDeleted) return;
    row.remove();
    forget(bookingId, sessionNumber);
  };
  return row;
}

function forget(bookingId, sessionNumber) {
  const without = ({ sessions, ...booking }) => ({
    ...booking,
    sessions: sessions.filter((session) => session.sessionNumber !== sessionNumber),
  });
  const { bookings } = ownDemo();
  remember({ bookings: bookings.map((one) => (one.id === bookingId ? without(one) : one)) });
}
