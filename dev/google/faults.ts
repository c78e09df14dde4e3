/** Network faults between a deployed function and Google. */
import type { ServerResponse } from 'node:http';
import { errorOf, failure, json, send, type Reply } from './replies.ts';

/** The hosts that a deployed function calls. */
export const HOSTS = [
  'firestore.googleapis.com',
  'www.googleapis.com',
  'firebaseappcheck.googleapis.com',
  'identitytoolkit.googleapis.com',
] as const;

/** The target of a fault: a host, or the platform's metadata server. */
export type FaultTarget = (typeof HOSTS)[number] | 'metadata';

/** A request that was read completely. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Whether Google streams the response as a list of elements. */
  readonly isList: boolean;
  /** Executes the request and returns the response. */
  readonly execute: () => Promise<Reply>;
  /** Executes the request after its release. */
  readonly executeLater: () => Promise<Reply>;
}

/** What happens to a request, by the kind of its fault. */
const KINDS = {
  /** The request is read, then the connection is closed, which the client notices at once. */
  disconnect: ({ response }) => response.destroy(),
  /** The request is executed, but the connection is closed before the response: a lost response. */
  'disconnect after effect': async ({ execute, response }) => {
    await execute();
    response.destroy();
  },
  /** The request is read, without a response. */
  hang: () => undefined,
  /** The request is executed, without a response. */
  'hang after effect': ({ execute }) => execute(),
  /** The response body is cut in half, with a matching `Content-Length`. */
  cut: async ({ execute, response }) => {
    const { status, body } = await execute();
    send(response, { status, body: body.subarray(0, body.length / 2) });
  },
  /** The list in the response ends with an error. */
  'error at the end': async ({ execute, response }, status) => {
    const list = JSON.parse((await execute()).body.toString()) as unknown;
    const error = errorOf(status);
    send(response, json(Array.isArray(list) ? [...(list as unknown[]), error] : error));
  },
  /** Google's error response for `status`. */
  status: ({ response, isList }, status) => send(response, failure(status, isList)),
  /** The request is executed, and the response is Google's error for `status`. */
  'status after effect': async ({ execute, response, isList }, status) => {
    await execute();
    send(response, failure(status, isList));
  },
  /** The request is delayed until it is released, even if the client has disconnected. */
  delayed: async ({ executeLater, response }) => send(response, await executeLater()),
} satisfies Readonly<Record<string, (exchange: Exchange, status: number) => unknown>>;

export type FaultKind = keyof typeof KINDS;

/** Responds to a request, with its fault if it has one. */
export async function deliver(exchange: Exchange, fault?: WireFault): Promise<void> {
  if (fault) await KINDS[fault.kind](exchange, fault.status ?? 503);
  else send(exchange.response, await exchange.execute());
}

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
  #faults: { readonly fault: WireFault; struck: number }[] = [];

  inject(fault: WireFault): void {
    this.#faults.push({ fault, struck: 0 });
  }

  /** Removes the faults of requests about this, or all; returns those that have affected no request. */
  heal(about?: string): WireFault[] {
    const healed = this.#faults.filter(({ fault }) => about === undefined || fault.about === about);
    this.#faults = this.#faults.filter((each) => !healed.includes(each));
    return healed.filter(({ struck }) => struck === 0).map(({ fault }) => fault);
  }

  /** The fault for a request with this path and body, if any. */
  ofRequest(host: string, call: string, text: string): WireFault | undefined {
    const found = this.#faults.find(
      ({ fault, struck }) =>
        struck < (fault.times ?? Infinity) &&
        fault.host === host &&
        (fault.call ?? call) === call &&
        text.includes(fault.about ?? ''),
    );
    if (found === undefined) return undefined;
    found.struck += 1;
    return found.fault;
  }
}
