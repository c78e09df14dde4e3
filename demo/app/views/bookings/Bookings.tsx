import type { MouseEvent } from 'react';
import { useDeleteSession } from '../../api/useDeleteSession.ts';
import { Hint, List, QuietButton } from '../../components/controls.tsx';
import { Page } from '../../components/Page.tsx';
import type { Booking, Session } from '../../demoData.ts';
import { formatDay, formatTime } from '../../format.ts';
import { focusView } from '../../frame.ts';
import { useAccountField, useSession } from '../../session.ts';

/** The artist's bookings, with their sessions. */
export function Bookings() {
  const [bookings, saveBookings] = useAccountField('bookings');
  const save = (booking: Booking) =>
    saveBookings(bookings.map((each) => (each.id === booking.id ? booking : each)));
  const cards = bookings.map((booking) => (
    <BookingCard key={booking.id} booking={booking} onChange={save} />
  ));
  const source =
    'The bookings of the demo data, without the sessions that you have deleted in this tab.';
  return (
    <Page>
      <h1>Bookings</h1>
      <Hint>{cards.length > 0 ? source : 'This demo knows none of your bookings.'}</Hint>
      <List className="choices">{cards}</List>
    </Page>
  );
}

type BookingCardProps = { booking: Booking; onChange: (booking: Booking) => void };

function BookingCard({ booking, onChange }: BookingCardProps) {
  const { id, clientId, sessions } = booking;
  const { demo, run, notify } = useSession();
  const deleteSession = useDeleteSession();
  const client = demo.names[clientId] ?? '';

  const remove = async (button: HTMLElement, session: Session, name: string) => {
    if (!confirm(`Delete session ${name}? This cannot be undone.`)) return;
    const row = button.closest('li');
    const isGone = await run(async () => {
      const isDeleted = await deleteSession(id, session.sessionNumber);
      notify(isDeleted ? 'The session is deleted.' : 'This session was deleted before.');
    });
    if (!isGone) return;
    const neighbor = row?.nextElementSibling ?? row?.previousElementSibling;
    if (neighbor) neighbor.querySelector('button')?.focus();
    else focusView();
    onChange({ ...booking, sessions: sessions.filter((each) => each !== session) });
  };

  const rows = sessions.map((session) => {
    const { sessionNumber, notes, startTime } = session;
    const title = `${sessionNumber}. ${notes}`;
    const time = `${formatDay(startTime)}, ${formatTime(startTime)}`;
    const label = `Delete session ${title}, ${client}`;
    const onClick = ({ currentTarget }: MouseEvent<HTMLElement>) =>
      remove(currentTarget, session, `${title}, ${time}`);
    return (
      <li className="row" key={sessionNumber}>
        <div>
          <strong>{title}</strong>
          <p>{time}</p>
        </div>
        <QuietButton label="Delete" aria-label={label} onClick={onClick} />
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
