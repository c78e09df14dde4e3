import { useMutation } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { List, QuietButton } from '../../components/controls.tsx';
import type { Account, Booking } from '../../../demoData.ts';
import { errorDetails } from '../../errors.ts';
import { formatDateTime } from '../../format.ts';
import { passFocus } from '../../focus.ts';
import { api, demo, useSessionStorage } from '../../session.ts';

/** The artist's bookings, with their sessions. */
export const Bookings = ({ bookings }: Account) => (
  <>
    <h1>Bookings</h1>
    <p className="hint">
      {bookings.length > 0
        ? 'The bookings of the demo data, without the sessions that you have deleted in this tab.'
        : 'This demo knows none of your bookings.'}
    </p>
    <List className="choices">
      {bookings.map((booking) => (
        <BookingCard key={booking.id} {...booking} />
      ))}
    </List>
  </>
);

const MESSAGES = { 'not-found': 'This session was deleted before.' };

function BookingCard({ id, clientId, sessions: stored }: Booking) {
  const [sessions, saveSessions] = useSessionStorage(id, stored);
  const { mutateAsync: deleteSession } = useMutation({
    mutationFn: (sessionNumber: number) =>
      api.bookings.deleteSession({ bookingId: id, sessionNumber }),
    meta: { success: 'The session is deleted.', errors: MESSAGES },
  });
  const client = demo.names[clientId] ?? '';

  const rows = sessions.map(({ sessionNumber, notes, startTime }) => {
    const title = `${sessionNumber}. ${notes}`;
    const label = `Delete session ${title}, ${client}`;
    const time = formatDateTime(startTime);

    const remove = async ({ currentTarget: button }: MouseEvent<HTMLElement>) => {
      if (!confirm(`Delete session ${title}, ${time}? This cannot be undone.`)) return;
      const error: unknown = await deleteSession(sessionNumber).catch((reason: unknown) => reason);
      const { code } = errorDetails(error);
      if (code !== undefined && code !== 'not-found') return;
      const row = button.closest('li');
      const neighbor = row?.nextElementSibling ?? row?.previousElementSibling;
      passFocus(button, neighbor?.querySelector('button'));
      saveSessions((former) => former.filter((session) => session.sessionNumber !== sessionNumber));
    };

    return (
      <li className="row" key={sessionNumber}>
        <div>
          <strong>{title}</strong>
          <p>{time}</p>
        </div>
        <QuietButton aria-label={label} onClick={remove} children="Delete" />
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
