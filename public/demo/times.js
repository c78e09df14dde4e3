/** Times as people read and enter them, in their own time zone. */

/** `Thu, 1 Oct 2026` */
export function dayOf(time) {
  return new Date(time).toLocaleDateString([], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
}

/** `14:30` */
export function timeOf(time) {
  return new Date(time).toLocaleTimeString([], { timeStyle: 'short' });
}

/** The value of an input of type `datetime-local`. */
export function localValue(time) {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}
