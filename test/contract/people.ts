import { setTimeout as delay } from 'node:timers/promises';
import type { LocalFirestore } from '@tattoo-marketplace/firestore-embedded';
import { requestOf, type ExampleRequest } from '../../demo/exampleRequests.ts';
import type { RawResponse } from '../../dev/testing/rawRequest.ts';
import type { Answer } from './rules.ts';
import type { Exchange } from './explain.ts';
import type { Fault, PlannedCall } from './generator.ts';

/** The service that is held to the contract. */
export interface Service {
  readonly store: LocalFirestore;
  readonly createIdToken: (uid: string) => string;
  readonly send: (functionId: string, request: ExampleRequest) => Promise<RawResponse>;
  /** Makes faults strike its calls of Firestore that name a text, until the returned function is called. */
  readonly strike?: (faults: readonly Fault[], text: string) => () => void;
}

/** The people of a history: a function that makes their calls. `name` is what all ids of the history start with. */
export function people({ store, createIdToken, send }: Service, name: string) {
  /** The cursor of the page that was read last, by list. */
  const next = new Map<string, string | undefined>();

  return async ({ call: planned, continues, waitMs = 0 }: PlannedCall): Promise<Exchange> => {
    const { functionId, caller, params, query, written } = planned;
    if (waitMs > 0) await delay(waitMs);
    const [now, begin] = [Date.now(), performance.now()];
    if (written !== undefined) {
      await store.write(written);
      const answer = { status: 200 as const, body: {} };
      return { call: planned, answer, now, until: Date.now(), begin, end: performance.now() };
    }
    const list = `${functionId} ${JSON.stringify(params ?? query?.conversationId)}`;
    const cursor = continues ? next.get(list) : undefined;
    const call = cursor ? { ...planned, query: { ...query, cursor } } : planned;
    const token = caller === undefined ? undefined : createIdToken(caller);
    const request = requestOf(functionId, call, token);
    const answer = answerOf(await send(functionId, request), name);
    const [until, end] = [Date.now(), performance.now()];
    const { nextCursor } = ('body' in answer ? answer.body : {}) as { nextCursor?: string };
    if ('body' in answer) next.set(list, nextCursor);
    return { call, answer, now, until, begin, end };
  };
}

function answerOf({ status, headers, text }: RawResponse, name: string): Answer {
  if (status !== 200) return { status, code: headers['x-error-code'] } as Answer;
  const body: unknown = JSON.parse(text);
  if (!Array.isArray(body)) return { status, body };
  // Without the artists of others.
  return { status, body: body.filter(({ id }: { id: string }) => id.startsWith(name)) };
}
