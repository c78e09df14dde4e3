import { useDeleteSession } from '../../api/useDeleteSession.ts';
import { List, QuietButton } from '../../components/controls.tsx';
import { notify, run } from '../../components/notices.tsx';
import type { Account, Booking } from '../../../demoData.ts';
import { formatDateTime } from '../../format.ts';
import { demo, focusView, useSessionStorage } from '../../session.ts';

/** The artist's bookings, with their sessions. */
export function Bookings({ bookings }: Account) {
  const source =
    bookings.length > 0
      ? 'The bookings of the demo data, without the sessions that you have deleted in this tab.'
      : 'This demo knows none of your bookings.';
  return (
    <>
      <h1>Bookings</h1>
      <p className="hint">{source}</p>
      <List className="choices">
        {bookings.map((booking) => (
          <BookingCard key={booking.id} {...booking} />
        ))}
      </List>
    </>
  );
}

function BookingCard({ id, clientId, sessions: stored }: Booking) {
  const [sessions, saveSessions] = useSessionStorage(id, stored);
  const deleteSession = useDeleteSession();
  const client = demo.names[clientId] ?? '';

  const rows = sessions.map((session) => {
    const title = `${session.sessionNumber}. ${session.notes}`;
    const time = formatDateTime(session.startTime);

    const remove = async (button: HTMLElement) => {
      if (!confirm(`Delete session ${title}, ${time}? This cannot be undone.`)) return;
      const row = button.closest('li');
      const isGone = await run(async () => {
        const isDeleted = await deleteSession(id, session.sessionNumber);
        notify({
          text: isDeleted ? 'The session is deleted.' : 'This session was deleted before.',
        });
      });
      if (!isGone) return;
      const neighbor = row?.nextElementSibling ?? row?.previousElementSibling;
      if (neighbor) neighbor.querySelector('button')?.focus();
      else focusView();
      saveSessions(sessions.filter((each) => each !== session));
    };

    return (
      <li className="row" key={session.sessionNumber}>
        <div>
          <strong>{title}</strong>
          <p>{time}</p>
        </div>
        <QuietButton
          aria-label={`Delete session ${title}, ${client}`}
          onClick={(event) => remove(event.currentTarget)}
          children="Delete"
        />
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
