import type { MouseEvent } from 'react';
import { useDeleteSession } from '../../api/useDeleteSession.ts';
import { List, QuietButton } from '../../components/controls.tsx';
import { useNotify, useRun } from '../../components/notices.tsx';
import type { Account, Booking, Session } from '../../demoData.ts';
import { formatDateTime } from '../../format.ts';
import { demo, focusView, useSessionStorage } from '../../session.ts';

/** The artist's bookings, with their sessions. */
export function Bookings({ bookings }: Account) {
  const cards = bookings.map((booking) => <BookingCard key={booking.id} {...booking} />);
  const source =
    'The bookings of the demo data, without the sessions that you have deleted in this tab.';
  return (
    <>
      <h1>Bookings</h1>
      <p className="hint">{cards.length > 0 ? source : 'This demo knows none of your bookings.'}</p>
      <List className="choices">{cards}</List>
    </>
  );
}

function BookingCard(booking: Booking) {
  const { id, clientId } = booking;
  const [sessions, saveSessions] = useSessionStorage(id, booking.sessions);
  const deleteSession = useDeleteSession();
  const notify = useNotify();
  const run = useRun();
  const client = demo.names[clientId] ?? '';

  const remove = async (button: HTMLElement, session: Session, name: string) => {
    if (!confirm(`Delete session ${name}? This cannot be undone.`)) return;
    const row = button.closest('li');
    const isGone = await run(async () => {
      const isDeleted = await deleteSession(id, session.sessionNumber);
      notify({ text: isDeleted ? 'The session is deleted.' : 'This session was deleted before.' });
    });
    if (!isGone) return;
    const neighbor = row?.nextElementSibling ?? row?.previousElementSibling;
    if (neighbor) neighbor.querySelector('button')?.focus();
    else focusView();
    saveSessions(sessions.filter((each) => each !== session));
  };

  const rows = sessions.map((session) => {
    const { sessionNumber, notes, startTime } = session;
    const title = `${sessionNumber}. ${notes}`;
    const time = formatDateTime(startTime);
    const label = `Delete session ${title}, ${client}`;
    const onClick = ({ currentTarget }: MouseEvent<HTMLElement>) =>
      remove(currentTarget, session, `${title}, ${time}`);
    return (
      <li className="row" key={sessionNumber}>
        <div>
          <strong>{title}</strong>
          <p>{time}</p>
        </div>
        <QuietButton aria-label={label} onClick={onClick} children="Delete" />
      </li>
    );
  });
  return (
    <li className="card">
      <h2>{client}</h2>
      <List className="rows">{rows}</List>
    </li>
  );
}
