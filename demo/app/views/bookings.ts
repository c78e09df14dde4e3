import { api, attempt, demo, ownDemo, remember } from '../api.js';
import { dayOf, h, hint, quiet, timeOf, ul } from '../dom.js';
import { notify } from '../notice.js';

/** The artist's bookings, with their sessions. The API cannot list them, so this view only knows those of the demo data. */
export async function bookings() {
  const known = ownDemo()?.bookings ?? [];
  return [
    h('h1', {}, 'Bookings'),
    known.length === 0
      ? hint('This demo knows none of your bookings.')
      : hint(
          'The bookings of the demo data, without the sessions that you have deleted in this tab.',
        ),
    ul('choices', known.map(bookingCard)),
  ];
}

function bookingCard({ id, clientId, sessions }) {
  const rows = sessions.map((session) => sessionRow(id, session));
  return h('li', { class: 'card' }, h('h2', {}, demo.names[clientId]), ul('rows', rows));
}

function sessionRow(bookingId, { sessionNumber, startTime, notes }) {
  const title = `${sessionNumber}. ${notes}`;
  const time = `${dayOf(startTime)}, ${timeOf(startTime)}`;
  const remove = async () => {
    if (!confirm(`Delete session ${title}, ${time}? This cannot be undone.`)) return;
    const isGone = await attempt(async () => {
      try {
        await api.bookings.deleteSession({ bookingId, sessionNumber });
        notify('The session is deleted.');
      } catch (error) {
        if (error.code !== 'not-found') throw error;
        notify('This session was deleted before.');
      }
    });
    if (!isGone) return;
    row.remove();
    forget(bookingId, sessionNumber);
  };
  const row = h(
    'li',
    {},
    h('div', {}, h('strong', {}, title), h('p', {}, time)),
    quiet('Delete', remove, { 'aria-label': `Delete session ${title}` }),
  );
  return row;
}

function forget(bookingId, sessionNumber) {
  const { bookings } = ownDemo();
  const { sessions } = bookings.find(({ id }) => id === bookingId);
  const index = sessions.findIndex((session) => session.sessionNumber === sessionNumber);
  sessions.splice(index, 1);
  remember({ bookings });
}
