/** Holds work back until it is released. */
export class Gate {
  #held: (() => Promise<void>)[] = [];

  /** Does work once it is released; resolves as the work does. */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#held.push(async () => work().then(resolve, reject));
    return promise;
  }

  /** Does what is held, one after the other in the order in which it came; resolves when all is done. */
  async release(): Promise<void> {
    for (const goOn of this.#held.splice(0)) await goOn();
  }
}
