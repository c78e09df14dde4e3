/** Network faults between a deployed function and Google. */
import type { ServerResponse } from 'node:http';
import { errorOf, failure, json, send, sendHead, type Reply } from './replies.ts';

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
  /** Resets the connection, which the client notices at once. */
  readonly reset: () => unknown;
}

/** The response of Google's front end if the backend does not respond. */
const HTML: Reply = {
  status: 502,
  body: Buffer.from('<!DOCTYPE html><title>Error 502</title><p>The server encountered an error.'),
  type: 'text/html; charset=UTF-8',
};

/** What happens to a request, by the kind of its fault. */
const KINDS = {
  /** The request is read, then the connection is reset. */
  reset: ({ reset }) => reset(),
  /** The request is executed, but the connection is reset before the response: a lost response. */
  'reset after effect': async ({ execute, reset }) => {
    await execute();
    reset();
  },
  /** The connection is reset after half of the response body. */
  'reset within body': async (exchange) => {
    await sendHalf(exchange);
    exchange.reset();
  },
  /** The request is read, without a response. */
  hang: () => undefined,
  /** The request is executed, without a response. */
  'hang after effect': ({ execute }) => execute(),
  /** Half of the response body is sent; the connection stays open. */
  'hang within body': sendHalf,
  /** A front end responds with 502 and an HTML page. */
  html: ({ response }) => send(response, HTML),
  /** The response body is cut in half, with a matching `Content-Length`. */
  cut: async ({ execute, response }) => {
    const reply = await execute();
    send(response, { ...reply, body: halfOf(reply) });
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

/** Sends half of a response body, under the length of the whole. */
async function sendHalf({ execute, response }: Exchange): Promise<void> {
  const reply = await execute();
  sendHead(response, reply);
  await new Promise((resolve) => response.write(halfOf(reply), resolve));
}

function halfOf({ body }: Reply): Buffer {
  return body.subarray(0, Math.ceil(body.length / 2));
}

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
        fault.host === host &&
        (fault.call ?? call) === call &&
        text.includes(fault.about ?? ''),
    );
    if (struck === undefined) return undefined;
    struck.left -= 1;
    return struck.fault;
  }
}
