import { setTimeout as delay } from 'node:timers/promises';
import { StatusError } from './status.ts';

/** Something that goes wrong with calls of the protocol. */
export interface Fault {
  /** The call, `Commit`, or `*` for all of them. */
  readonly call: string;
  /** Whether it goes wrong before the call is done, or after: its answer is lost then. */
  readonly when: 'before' | 'after';
  /** The gRPC code with which the call fails; one without a code is late only. */
  readonly code?: number;
  /** How late the call is, in ms. */
  readonly delayMs?: number;
  /** How many calls go wrong; all of them where it is left out. */
  readonly times?: number;
}

/** What goes wrong with a project's calls, for tests of how callers bear it. */
export class Faults {
  #faults: { readonly fault: Fault; left: number }[] = [];

  /** Makes calls go wrong from now on. */
  inject(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? Infinity });
  }

  /** Makes all calls go right again. */
  heal(): void {
    this.#faults = [];
  }

  /** Lets a call go wrong that is to; rejects where it fails. */
  async strike(call: string, when: Fault['when']): Promise<void> {
    const struck = this.#faults.find(
      ({ fault, left }) =>
        left > 0 && fault.when === when && (fault.call === '*' || fault.call === call),
    );
    if (struck === undefined) return;
    struck.left -= 1;
    const { code, delayMs } = struck.fault;
    if (delayMs !== undefined) await delay(delayMs, undefined, { ref: false });
    if (code !== undefined) throw new StatusError(code, 'secret of the database');
  }
}
