import type { User } from '@tattoo-marketplace/client';

/** `1 photo`, `2 photos` */
export const pluralize = (count: number, noun: string) =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Times are in the time zone of the viewer. A range names its day only once. */
export const dateTimeFormat = new Intl.DateTimeFormat([], {
  dateStyle: 'medium',
  timeStyle: 'short',
});

/** Returns the name to show for a user. */
export function formatName({ displayName, firstName, lastName, artistInfo }: Partial<User>) {
  const names = [
    displayName,
    [firstName, lastName].filter(Boolean).join(' '),
    artistInfo?.username,
  ];
  return names.find((name) => name?.trim()) ?? 'Without a name';
}

/** Formats a time for an input of type `datetime-local`. Its first 10 characters are for one of type `date`. */
export function formatInput(time: number) {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}

/** Parses the value of such an input. If it was not edited, the former time stays: inputs lack seconds and the offset from UTC. */
export function parseInput(value: string, former: number) {
  if (formatInput(former).startsWith(value)) return former;
  // Without a time, a date would be midnight in UTC.
  return Date.parse(value.includes('T') ? value : `${value}T00:00`);
}

/** Returns when the day of a time starts. */
export const startOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0);
