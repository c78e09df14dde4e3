/** Network faults between a deployed function and Google. */

/** The hosts that a deployed function calls. */
export const HOSTS = [
  'firestore.googleapis.com',
  'www.googleapis.com',
  'firebaseappcheck.googleapis.com',
  'identitytoolkit.googleapis.com',
] as const;

/** The target of a fault: a host, or the platform's metadata server. */
export type FaultTarget = (typeof HOSTS)[number] | 'metadata';

export type FaultKind =
  /** Connections are refused, and open ones are reset, until `heal`. */
  | 'refused'
  /** The request is read, then the connection is reset. */
  | 'reset'
  /** The request is executed, but the connection is reset before the response: a lost response. */
  | 'reset after effect'
  /** The connection is reset after half of the response body. */
  | 'reset within body'
  /** The request is read, without a response. */
  | 'hang'
  /** The request is executed, without a response. */
  | 'hang after effect'
  /** Half of the response body is sent; the connection stays open. */
  | 'hang within body'
  /** A front end responds with 502 and an HTML page. */
  | 'html'
  /** The response body is cut in half, with a matching `Content-Length`. */
  | 'cut'
  /** The response body is cut in half and sent in chunks. */
  | 'cut in chunks'
  /** The list in the response ends with an error. */
  | 'error at the end'
  /** Google's error response for `status`. */
  | 'status'
  /** The request is executed, and the response is Google's error for `status`. */
  | 'status after effect'
  /** The request is delayed until it is released, even if the client has disconnected. */
  | 'delayed';

/** A fault to inject. */
export interface WireFault {
  readonly host: FaultTarget;
  /** The last part of the path: `runQuery`, `commit`, `token`. Default: any call. */
  readonly call?: string;
  readonly kind: FaultKind;
  /** A text that the path or the body of an affected request has. Default: any request. */
  readonly about?: string;
  /** The HTTP status for the kind `status`. Default: 503. */
  readonly status?: number;
  /** How many requests are affected. Default: all. */
  readonly times?: number;
}

/** The active faults. */
export class WireFaults {
  #faults: { readonly fault: WireFault; left: number }[] = [];

  inject(fault: WireFault): void {
    this.#faults.push({ fault, left: fault.times ?? Infinity });
  }

  /** Removes the faults of requests about this, or all. */
  heal(about?: string): void {
    this.#faults = this.#faults.filter(({ fault }) => about !== undefined && fault.about !== about);
  }

  /** The fault for a request with this path and body, if any. */
  ofRequest(host: string, call: string, text: string): WireFault | undefined {
    const struck = this.#faults.find(
      ({ fault, left }) =>
        left > 0 &&
        fault.kind !== 'refused' &&
        fault.host === host &&
        (fault.call ?? call) === call &&
        text.includes(fault.about ?? ''),
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
