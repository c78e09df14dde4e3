/** Network faults between a deployed function and Google. */
import type { ServerResponse } from 'node:http';
import {
  createErrorBody,
  createFakeErrorResponse,
  createFakeResponse,
  sendResponse,
  type FakeResponse,
} from './responses.ts';

/** The calls whose responses Google streams, as a list of elements. */
const STREAMED_CALLS = new Set(['runQuery', 'runAggregationQuery', 'batchGet']);

/** A request that was read completely. */
interface InterceptedRequest {
  readonly host: string;
  /** The last part of the path: `runQuery`, `commit`, `token`. */
  readonly call: string;
  /** The path and the body. */
  readonly content: string;
  readonly response: ServerResponse;
  /** Executes the request and returns the response. */
  readonly execute: () => Promise<FakeResponse>;
}

/** Options of a fault. */
interface FaultOptions {
  /** The HTTP status of an error response. */
  readonly status: number;
  /** Resolves when delayed requests are released. */
  readonly released: Promise<unknown>;
}

/** Handles a request by type of fault. */
const FAULT_HANDLERS = {
  /** The request is read, then the connection is closed, which the client notices at once. */
  disconnect: ({ response }) => response.destroy(),
  /** The request is executed, but the connection is closed before the response: a lost response. */
  'disconnect after execution': async ({ execute, response }) => {
    await execute();
    response.destroy();
  },
  /** The request is read, without a response. */
  hang: () => undefined,
  /** The request is executed, without a response. */
  'hang after execution': ({ execute }) => execute(),
  /** The response body is cut in half, with a matching `Content-Length`. */
  truncate: async ({ execute, response }) => {
    const { status, body } = await execute();
    sendResponse(response, { status, body: body.subarray(0, body.length / 2) });
  },
  /** The list in the response ends with an error. */
  'trailing error': async ({ execute, response }, { status }) => {
    const list = JSON.parse((await execute()).body.toString()) as unknown;
    const error = createErrorBody(status);
    sendResponse(
      response,
      createFakeResponse(Array.isArray(list) ? [...(list as unknown[]), error] : error),
    );
  },
  /** Google's error response for `status`. */
  status: ({ call, response }, { status }) =>
    sendResponse(response, createFakeErrorResponse(status, { isList: STREAMED_CALLS.has(call) })),
  /** The request is executed, and the response is Google's error for `status`. */
  'status after execution': async ({ call, execute, response }, { status }) => {
    await execute();
    sendResponse(response, createFakeErrorResponse(status, { isList: STREAMED_CALLS.has(call) }));
  },
  /** The request is delayed until it is released, even if the client has disconnected. */
  delayed: async ({ execute, response }, { released }) => {
    await released;
    sendResponse(response, await execute());
  },
} satisfies Readonly<
  Record<string, (request: InterceptedRequest, options: FaultOptions) => unknown>
>;

export type FaultKind = keyof typeof FAULT_HANDLERS;

/** A fault to inject. */
export interface InjectedFault {
  /** A host, or `metadata`, the platform's metadata server. */
  readonly host: string;
  /** The calls that are affected. Default: all. */
  readonly call?: string;
  readonly kind: FaultKind;
  /** A text that the path or the body of affected requests contains. Default: all requests are affected. */
  readonly contains?: string;
  /** The HTTP status of an error response. Default: 503. */
  readonly status?: number;
  /** The number of affected requests. Default: all. */
  readonly times?: number;
}

/** Injects faults into requests. */
export class FaultInjector {
  #faults: { readonly fault: InjectedFault; hits: number }[] = [];
  #released = Promise.withResolvers<undefined>();

  /** Injects a fault from now on. If several match a request, the first one applies. */
  inject(fault: InjectedFault): void {
    this.#faults.push({ fault, hits: 0 });
  }

  /**
   * Clears all faults, or the faults whose `contains` is this text. Returns the cleared faults that have not affected any
   * request. Requests that hang or are delayed are not released.
   */
  clear(contains?: string): InjectedFault[] {
    const cleared = this.#faults.filter(
      ({ fault }) => contains === undefined || fault.contains === contains,
    );
    this.#faults = this.#faults.filter((active) => !cleared.includes(active));
    return cleared.filter(({ hits }) => hits === 0).map(({ fault }) => fault);
  }

  /** Executes all requests that are delayed. */
  release(): void {
    this.#released.resolve(undefined);
    this.#released = Promise.withResolvers();
  }

  /** Responds to a request, or applies the first fault that matches it. */
  async handle(request: InterceptedRequest): Promise<void> {
    const { host, call, content } = request;
    const active = this.#faults.find(
      ({ fault, hits }) =>
        hits < (fault.times ?? Infinity) &&
        fault.host === host &&
        (fault.call ?? call) === call &&
        content.includes(fault.contains ?? ''),
    );
    if (active === undefined) {
      sendResponse(request.response, await request.execute());
      return;
    }
    active.hits += 1;
    const { kind, status = 503 } = active.fault;
    await FAULT_HANDLERS[kind](request, { status, released: this.#released.promise });
  }
}
