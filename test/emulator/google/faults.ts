/** What goes wrong between a deployed function and Google, as it can on the wire. */

/** The hosts that a deployed function asks. */
export const HOSTS = [
  'firestore.googleapis.com',
  'www.googleapis.com',
  'firebaseappcheck.googleapis.com',
  'identitytoolkit.googleapis.com',
] as const;

/** Whom a fault concerns: a host, or the platform's metadata server. */
export type Asked = (typeof HOSTS)[number] | 'metadata';

export type FaultKind =
  /** No connection comes about, and those that are open are reset, until `heal`. */
  | 'refused'
  /** The request is read, and the connection reset. */
  | 'reset'
  /** The request takes effect, and the connection is reset before a byte of the answer: a lost reply. */
  | 'reset after effect'
  /** The connection is reset when half of the answer's body is sent. */
  | 'reset within body'
  /** The request is read, and never answered. */
  | 'hang'
  /** The request takes effect, and is never answered. */
  | 'hang after effect'
  /** Half of the answer's body is sent, and no more. */
  | 'hang within body'
  /** A front end answers 502 with a page. */
  | 'html'
  /** Half of the answer's body comes as if it were all, with a `Content-Length` that fits. */
  | 'cut'
  /** Half of the answer's body comes as if it were all, in chunks. */
  | 'cut in chunks'
  /** The answer's list ends with an error. */
  | 'error at the end'
  /** An error with `status` as Google sends it. */
  | 'status'
  /** The request is passed on only when it is released, whether or not its client is still there. */
  | 'held'
  /** The answer is an empty object. */
  | 'empty'
  /** The keys come without the one that signs. */
  | 'another key';

/** Something that goes wrong. */
export interface WireFault {
  readonly host: Asked;
  /** The last word of the path: `runQuery`, `commit`, `token`; any call where it is left out. */
  readonly call?: string;
  readonly kind: FaultKind;
  /** The HTTP status of the kind `status`, 503 where it is left out. */
  readonly status?: number;
  /** How many requests it strikes; all of them where it is left out. */
  readonly times?: number;
}

/** The faults that are yet to strike. */
export class WireFaults {
  #faults: { readonly fault: WireFault; left: number }[] = [];

  inject(fault: WireFault): void {
    this.#faults.push({ fault, left: fault.times ?? Infinity });
  }

  heal(): void {
    this.#faults = [];
  }

  /** The fault that strikes a request, if any. */
  ofRequest(host: string, call: string): WireFault | undefined {
    const struck = this.#faults.find(
      ({ fault, left }) =>
        left > 0 &&
        fault.kind !== 'refused' &&
        fault.host === host &&
        (fault.call ?? call) === call,
    );
    if (struck === undefined) return undefined;
    struck.left -= 1;
    return struck.fault;
  }

  /** Whether connections to a host are refused. */
  refuses(host: string): boolean {
    return this.#faults.some(({ fault }) => fault.kind === 'refused' && fault.host === host);
  }
}
