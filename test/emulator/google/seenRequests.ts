import { EventEmitter, once } from 'node:events';

/** The requests to the simulation. */
export class SeenRequests {
  /** Their number by host and call: `firestore.googleapis.com runQuery`. */
  readonly counts = new Map<string, number>();
  /** Host and call of each in order of arrival, after it was read completely. */
  readonly list: string[] = [];
  readonly #events = new EventEmitter();

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  add(what: string): void {
    this.count(what);
    this.list.push(what);
    this.#events.emit('added');
  }

  /** Resolves when this many such requests have been read since the start. */
  async reached(what: string, times: number): Promise<void> {
    while ((this.counts.get(what) ?? 0) < times) await once(this.#events, 'added');
  }
}
