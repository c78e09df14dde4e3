const WINDOW_MS = 1_000;

/** Limits the number of log lines in each second, and counts those that are omitted. */
export class LineLimit {
  readonly #maxLines: number;
  /** The end of the current second, in ms of the monotonic clock. */
  #endsAt = 0;
  #lines = 0;

  constructor(maxLines: number) {
    this.#maxLines = maxLines;
  }

  /** Counts a line. Returns whether it may be written. */
  admit(): boolean {
    const now = performance.now();
    if (now >= this.#endsAt) {
      this.#endsAt = now + WINDOW_MS;
      this.#lines = 0;
    }
    this.#lines += 1;
    return this.#lines <= this.#maxLines;
  }

  /** Returns the number of lines that were omitted in the last second, once, after it has ended. */
  takeOmitted(): number {
    if (performance.now() < this.#endsAt) return 0;
    const omitted = Math.max(0, this.#lines - this.#maxLines);
    this.#lines = 0;
    return omitted;
  }
}
