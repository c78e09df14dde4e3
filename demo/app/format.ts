import type { User } from '@tattoo-marketplace/client';

/** `1 photo`, `2 photos` */
export const pluralize = (count: number, noun: string) =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Times are in the time zone of the viewer. */
export const formatTime = (time: number) =>
  new Date(time).toLocaleTimeString([], { timeStyle: 'short' });
export const formatDateTime = (time: number) =>
  new Date(time).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

/** Names the day of the end only if it is not that of the start. */
export function formatPeriod(start: number, end: number) {
  const isSameDay = new Date(start).toDateString() === new Date(end).toDateString();
  return `${formatDateTime(start)} to ${isSameDay ? formatTime(end) : formatDateTime(end)}`;
}

/** Returns the name to show for a user. */
export function formatName({ displayName, firstName, lastName, artistInfo }: Partial<User>) {
  const names = [
    displayName,
    [firstName, lastName].filter(Boolean).join(' '),
    artistInfo?.username,
  ];
  return names.find((name) => name?.trim()) ?? 'Without a name';
}
