/** Network faults between a deployed function and Google. */
import type { ServerResponse } from 'node:http';
import { errorOf, failure, json, send, type Reply } from './replies.ts';

/** The calls whose responses Google streams, as a list of elements. */
const LISTS = new Set(['runQuery', 'runAggregationQuery', 'batchGet']);

/** A request that was read completely. */
export interface Exchange {
  readonly host: string;
  /** The last part of the path: `runQuery`, `commit`, `token`. */
  readonly call: string;
  /** The path and the body. */
  readonly sent: string;
  readonly response: ServerResponse;
  /** Executes the request and returns the response. */
  readonly execute: () => Promise<Reply>;
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
  status: ({ call, response }, status) => send(response, failure(status, LISTS.has(call))),
  /** The request is executed, and the response is Google's error for `status`. */
  'status after effect': async ({ call, execute, response }, status) => {
    await execute();
    send(response, failure(status, LISTS.has(call)));
  },
  /** The request is delayed until it is released, even if the client has disconnected. */
  delayed: async ({ execute, response }, _status, released) => {
    await released;
    send(response, await execute());
  },
} satisfies Readonly<
  Record<string, (exchange: Exchange, status: number, released: Promise<unknown>) => unknown>
>;

export type FaultKind = keyof typeof KINDS;

/** A fault to inject. */
export interface WireFault {
  /** A host, or `metadata`, the platform's metadata server. */
  readonly host: string;
  /** The calls that are affected. Default: all. */
  readonly call?: string;
  readonly kind: FaultKind;
  /** A text that the path or the body of an affected request has. Default: any request. */
  readonly about?: string;
  /** The HTTP status for the kinds with one. Default: 503. */
  readonly status?: number;
  /** How many requests are affected. Default: all. */
  readonly times?: number;
}

/** The active faults. */
export class WireFaults {
  #faults: { readonly fault: WireFault; struck: number }[] = [];
  #released = Promise.withResolvers<undefined>();

  /** Injects a fault from now on. If several match a request, the first one applies. */
  inject(fault: WireFault): void {
    this.#faults.push({ fault, struck: 0 });
  }

  /**
   * Removes all faults, or those of requests about this; returns those that have affected no request. Requests that hang
   * or are delayed stay so.
   */
  heal(about?: string): WireFault[] {
    const healed = this.#faults.filter(({ fault }) => about === undefined || fault.about === about);
    this.#faults = this.#faults.filter((each) => !healed.includes(each));
    return healed.filter(({ struck }) => struck === 0).map(({ fault }) => fault);
  }

  /** Executes all requests that are delayed by now. */
  release(): void {
    this.#released.resolve(undefined);
    this.#released = Promise.withResolvers();
  }

  /** Responds to a request, with its fault if it has one. */
  async deliver(exchange: Exchange): Promise<void> {
    const { host, call, sent } = exchange;
    const found = this.#faults.find(
      ({ fault, struck }) =>
        struck < (fault.times ?? Infinity) &&
        fault.host === host &&
        (fault.call ?? call) === call &&
        sent.includes(fault.about ?? ''),
    );
    if (found === undefined) {
      send(exchange.response, await exchange.execute());
      return;
    }
    found.struck += 1;
    const { kind, status = 503 } = found.fault;
    await KINDS[kind](exchange, status, this.#released.promise);
  }
}
