/** Work in progress, by key, whose result all concurrent callers share. */
export class SharedWork<Result> {
  readonly #pending = new Map<string, { startsAt: number; result: Promise<Result> }>();

  /** Whether work with this key is in progress. */
  has(key: string): boolean {
    return this.#pending.has(key);
  }

  /**
   * The result of the work in progress, or else of `work`, which is then started. Throws an error only if the work
   * started after this call: whoever joined earlier work that fails starts it anew, instead of failing with it.
   * `startsAt` is for work that waits first: when it will start, in ms of the monotonic clock.
   */
  async join(
    key: string,
    work: (startsAt: number) => Promise<Result>,
    startsAt: () => number = () => performance.now(),
  ): Promise<Result> {
    const arrivedAt = performance.now();
    for (;;) {
      const current = this.#pending.get(key) ?? this.#start(key, work, startsAt());
      try {
        return await current.result;
      } catch (error) {
        if (current.startsAt >= arrivedAt) throw error;
      }
    }
  }

  #start(key: string, work: (startsAt: number) => Promise<Result>, startsAt: number) {
    const result = work(startsAt).finally(() => this.#pending.delete(key));
    const started = { startsAt, result };
    this.#pending.set(key, started);
    return started;
  }
}
