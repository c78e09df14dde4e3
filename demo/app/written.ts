/** How long caches may have pages without what was written since, with some room. */
const LATELY_MS = 60_000;

/** What this tab has written: by id, the fields of a listing or photo, and the time. */
const written = new Map();

export function noteWritten(id, fields) {
  written.set(id, { ...written.get(id), ...fields, writtenAt: Date.now() });
}

/** The listings or photos of a list with what was written lately, in their order. */
export function withWritten(elements) {
  return elements
    .map((one) => {
      const { writtenAt = 0, ...fields } = written.get(one.id) ?? {};
      return Date.now() - writtenAt < LATELY_MS ? { ...one, ...fields } : one;
    })
    .filter(({ isRemoved }) => !isRemoved)
    .sort((a, b) => placeOf(a) - placeOf(b) || 0);
}

/** Those without an order come first. */
const placeOf = ({ order }) => order ?? -Infinity;
