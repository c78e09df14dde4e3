/** How long caches may have pages without what was written since, with some room. */
const LATELY_MS = 60_000;

/** What can be written of a listing or photo. */
interface Written {
  readonly order?: number;
  readonly isAvailable?: boolean;
  readonly isRemoved?: boolean;
}

/** What this tab has written: by id, the fields of a listing or photo, and the time. */
const written = new Map<string, Written & { readonly writtenAt: number }>();

export function noteWritten(id: string, fields: Written): void {
  written.set(id, { ...written.get(id), ...fields, writtenAt: Date.now() });
}

/** The listings or photos of a list with what was written lately, in their order. */
export function withWritten<Element extends { readonly id: string; readonly order?: number }>(
  elements: readonly Element[],
): Element[] {
  return elements
    .map((element): Element & Written => {
      const { writtenAt = 0, ...fields } = written.get(element.id) ?? {};
      return Date.now() - writtenAt < LATELY_MS ? { ...element, ...fields } : element;
    })
    .filter(({ isRemoved }) => !isRemoved)
    .sort((a, b) => placeOf(a) - placeOf(b) || 0);
}

/** Those without an order come first. */
const placeOf = ({ order }: { readonly order?: number }) => order ?? -Infinity;
