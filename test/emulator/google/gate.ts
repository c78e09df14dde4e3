/** Delays work until it is released. */
export class Gate {
  #delayed: (() => Promise<void>)[] = [];

  /** Runs work after its release, and settles like the work. */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#delayed.push(async () => work().then(resolve, reject));
    return promise;
  }

  /** Runs the delayed work one by one in order of arrival; resolves when all is done. */
  async release(): Promise<void> {
    for (const run of this.#delayed.splice(0)) await run();
  }
}
