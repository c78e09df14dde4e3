import { setTimeout as delay } from 'node:timers/promises';
import { StatusError } from './status.ts';

/** A fault to inject into calls of the protocol. */
export interface Fault {
  /** The call, `Commit`, or `*` for all of them. */
  readonly call: string;
  /** Whether the call fails before or after it is executed; after means that its response is lost. */
  readonly when: 'before' | 'after';
  /** The gRPC code of the failure; without a code the call is only delayed. */
  readonly code?: number;
  /** The delay of the call, in ms. */
  readonly delayMs?: number;
  /** How many calls are affected. Default: all. */
  readonly times?: number;
}

/** The injected faults of a project, for tests of how callers handle them. */
export class Faults {
  #faults: { readonly fault: Fault; left: number }[] = [];

  /** Injects a fault from now on. */
  inject(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? Infinity });
  }

  /** Removes all faults. */
  heal(): void {
    this.#faults = [];
  }

  /** Applies the fault of a call, if any; rejects if the call must fail. */
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
