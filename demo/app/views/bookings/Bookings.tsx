import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import useSessionStorageState from 'use-session-storage-state';
import type { Account, Booking } from '../../../pageData.ts';
import { errorDetails } from '../../errors.ts';
import { dateTimeFormat } from '../../format.ts';
import { passFocus } from '../../focus.ts';
import { api, demo } from '../../session.ts';

/** The artist's bookings, with their sessions. */
export const Bookings = ({ bookings }: Account) => (
  <>
    <h1>Bookings</h1>
    <p className="hint">
      {bookings.length > 0
        ? 'The bookings of the demo data, without the sessions that you have deleted in this tab.'
        : 'This demo knows none of your bookings.'}
    </p>
    <ul role="list" className="choices">
      {bookings.map((booking) => (
        <li className="card" key={booking.id}>
          <h2>{demo.names[booking.clientId]}</h2>
          <ul role="list" className="rows">
            {booking.sessions.map((session) => (
              <SessionRow key={session.sessionNumber} booking={booking} {...session} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </>
);

const MESSAGES = { 'not-found': 'This session was deleted before.' };

type SessionProps = Booking['sessions'][number] & { booking: Booking };

function SessionRow({ booking: { id, clientId }, sessionNumber, notes, startTime }: SessionProps) {
  const [isDeleted, setDeleted] = useSessionStorageState<boolean>(`${id}/${sessionNumber}`);
  const row = useRef<HTMLLIElement>(null);
  const { mutate: remove } = useMutation({
    mutationFn: () => api.bookings.deleteSession({ bookingId: id, sessionNumber }),
    onSettled: (_result, error) => {
      if (error && errorDetails(error).code !== 'not-found') return;
      const neighbor = row.current?.nextElementSibling ?? row.current?.previousElementSibling;
      passFocus(row.current, neighbor?.querySelector('button'));
      setDeleted(true);
    },
    meta: { success: 'The session is deleted.', errors: MESSAGES },
  });
  if (isDeleted) return null;
  const title = `${sessionNumber}. ${notes}`;
  const time = dateTimeFormat.format(startTime);
  const question = `Delete session ${title}, ${time}? This cannot be undone.`;
  const label = `Delete session ${title}, ${demo.names[clientId] ?? ''}`;
  return (
    <li className="row" ref={row}>
      <div>
        <strong>{title}</strong>
        <p>{time}</p>
      </div>
      <button aria-label={label} onClick={() => confirm(question) && remove()}>
        Delete
      </button>
    </li>
  );
}
