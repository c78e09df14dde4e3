import { api, attempt, demo, failureOf, ownDemo, remember } from '../api.ts';
import type { Booking, Session } from '../demoData.ts';
import { dayOf, focusView, h, hint, one, quiet, timeOf, ul, type Child } from '../dom.ts';
import { notify } from '../notice.ts';

/** The artist's bookings, with their sessions. The API cannot list them, so this view only knows those of the demo data. */
export function bookings(): Child[] {
  const known = ownDemo().bookings;
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

function bookingCard({ id, clientId, sessions }: Booking): HTMLElement {
  const client = demo.names[clientId] ?? '';
  const rows = sessions.map((session) => sessionRow(id, client, session));
  return h('li', { class: 'card' }, h('h2', {}, client), ul('rows', rows));
}

function sessionRow(bookingId: string, client: string, session: Session): HTMLElement {
  const { sessionNumber, startTime, notes } = session;
  const title = `${sessionNumber}. ${notes}`;
  const time = `${dayOf(startTime)}, ${timeOf(startTime)}`;
  const remove = async () => {
    if (!confirm(`Delete session ${title}, ${time}? This cannot be undone.`)) return;
    const isGone = await attempt(async () => {
      try {
        await api.bookings.deleteSession({ bookingId, sessionNumber });
        notify('The session is deleted.');
      } catch (error) {
        if (failureOf(error).code !== 'not-found') throw error;
        notify('This session was deleted before.');
      }
    });
    if (!isGone) return;
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    if (neighbour) one('button', neighbour).focus();
    else focusView();
    forget(bookingId, sessionNumber);
  };
  const row = h(
    'li',
    {},
    h('div', {}, h('strong', {}, title), h('p', {}, time)),
    quiet('Delete', remove, { 'aria-label': `Delete session ${title}, ${client}` }),
  );
  return row;
}

function forget(bookingId: string, sessionNumber: number): void {
  const bookings = ownDemo().bookings.map((booking) => {
    if (booking.id !== bookingId) return booking;
    const index = booking.sessions.findIndex((session) => session.sessionNumber === sessionNumber);
    return { ...booking, sessions: booking.sessions.toSpliced(index, 1) };
  });
  remember({ bookings });
}
