import { EventEmitter, once } from 'node:events';

/** A request that the simulation has read. */
export interface SeenRequest {
  readonly host: string;
  /** The last part of its path: `runQuery`, `commit`, `token`. */
  readonly call: string;
  /** When, by `performance.now()`. */
  readonly at: number;
}

/** The requests to the simulation. */
export class SeenRequests {
  /** Their number by host and call. */
  readonly counts = new Map<string, number>();
  /** In order of arrival, each after it was read completely. */
  readonly list: SeenRequest[] = [];
  readonly #events = new EventEmitter();

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  add(host: string, call: string): void {
    this.count(`${host} ${call}`);
    this.list.push({ host, call, at: performance.now() });
    this.#events.emit('added');
  }

  /** Resolves when this many such requests have been read since the start. */
  async reached(host: string, call: string, times: number): Promise<void> {
    while ((this.counts.get(`${host} ${call}`) ?? 0) < times) await once(this.#events, 'added');
  }
}
