import type { ServerResponse } from 'node:http';
import {
  errorOf,
  firstHalf,
  htmlPage,
  json,
  send,
  sendChunked,
  sendHalf,
  type Reply,
} from './answer.ts';
import type { WireFault } from './faults.ts';
import type { Gate } from './gate.ts';

/** A request that was read completely. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Whether Google streams the response as a list of elements. */
  readonly isList: boolean;
  /** Executes the request and returns the response. */
  readonly execute: () => Promise<Reply>;
  /** Resets the connection, which the client notices at once. */
  readonly reset: () => void;
  readonly gate: Gate;
}

/** Responds to a request, with its fault if it has one. */
export async function deliver(
  { response, isList, execute, reset, gate }: Exchange,
  fault?: WireFault,
): Promise<void> {
  switch (fault?.kind) {
    case undefined:
    case 'another key':
      send(response, await execute());
      return;
    case 'refused':
    case 'reset':
      reset();
      return;
    case 'reset after effect':
      await execute();
      reset();
      return;
    case 'reset within body':
      await sendHalf(response, await execute());
      reset();
      return;
    case 'hang':
      return;
    case 'hang after effect':
      await execute();
      return;
    case 'hang within body':
      await sendHalf(response, await execute());
      return;
    case 'html':
      send(response, htmlPage());
      return;
    case 'cut': {
      const reply = await execute();
      send(response, { ...reply, body: firstHalf(reply.body) });
      return;
    }
    case 'cut in chunks': {
      const reply = await execute();
      sendChunked(response, { ...reply, body: firstHalf(reply.body) });
      return;
    }
    case 'error at the end': {
      const { body } = await execute();
      const list = JSON.parse(body.toString()) as unknown;
      const error = errorOf(fault.status ?? 503);
      send(response, json(Array.isArray(list) ? [...(list as unknown[]), error] : error));
      return;
    }
    case 'status after effect':
    case 'status': {
      if (fault.kind === 'status after effect') await execute();
      const status = fault.status ?? 503;
      send(response, json(isList ? [errorOf(status)] : errorOf(status), status));
      return;
    }
    case 'delayed':
      send(response, await gate.pass(execute));
      return;
    case 'empty':
      send(response, json({}));
      return;
  }
}
