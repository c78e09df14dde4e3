import type { Store } from '../../emulator/firestore/store.ts';
import { deployedEndpoints } from '../../support/deployMap.ts';
import type { InProcessService } from '../../support/inProcessService.ts';
import type { RawResponse } from '../../support/rawRequest.ts';
import type { Call, Documents } from './contract.ts';
import type { Exchange } from './explain.ts';
import type { Fault, PlannedCall } from './generator.ts';

/** The service that is held to the contract. */
export interface Service {
  readonly store: Store;
  readonly tokenOf: (uid: string) => string;
  readonly send: (functionId: string, path: string, request: Request) => Promise<RawResponse>;
  /** Whether one instance serves all calls of an operation, and so remembers all of its cursors. */
  readonly isOneInstance: boolean;
  /** Makes faults strike its calls of Firestore that name a text, until the returned function is called. */
  readonly strike?: (faults: readonly Fault[], text: string) => () => Promise<void>;
}

interface Request {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The service in this process: one instance of each function. */
export function inProcess(service: InProcessService): Service {
  return {
    store: service.store,
    tokenOf: (uid) => service.tokenOf(uid),
    send: async (...request) => service.send(...request),
    isOneInstance: true,
  };
}

/** A call and the response to it. */
type Response = Pick<Exchange, 'call' | 'begin' | 'end' | 'times' | 'answer' | 'cached'>;

/** The people of a history, and what they have seen so far. */
export class People {
  readonly #service: Service;
  /** What all ids of the history start with. */
  readonly #name: string;
  readonly #tagged = new Map<string, { readonly tag: string; readonly cached: unknown }>();
  /** The cursor of the page that was read last, by list. */
  readonly #next = new Map<string, string | undefined>();
  /** What was stored when cursors were given out, by list and cursor. */
  readonly #givenOut = new Map<string, readonly Documents[]>();

  constructor(service: Service, name: string) {
    this.#service = service;
    this.#name = name;
  }

  /** Makes a call. */
  async call({ call: planned, continues, isConditional }: PlannedCall): Promise<Response> {
    const cursor = continues ? this.#next.get(listOf(planned)) : undefined;
    const call = cursor ? { ...planned, query: { ...planned.query, cursor } } : planned;
    const { caller, body } = call;
    const [method, path] = targetOf(call);
    const known = isConditional ? this.#tagged.get(path) : undefined;
    const headers = {
      ...(caller !== undefined && { Authorization: `Bearer ${this.#service.tokenOf(caller)}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(known && { 'If-None-Match': known.tag }),
    };
    const request = { method, headers, ...(body !== undefined && { body }) };
    const [begin, from] = [performance.now(), Date.now()];
    const response = await this.#service.send(functionIdOf(call), path, request);
    const [end, to] = [performance.now(), Date.now()];
    const answer = this.#answerOf(response);
    const tag = response.headers.etag;
    if (tag && 'body' in answer) this.#tagged.set(path, { tag, cached: answer.body });
    return { call, begin, end, times: [from, to], answer, cached: known?.cached };
  }

  #answerOf({ status, headers, text }: RawResponse): Exchange['answer'] {
    if (status === 304) return { status };
    if (status !== 200) return { status, code: headers['x-error-code'] } as Exchange['answer'];
    const body: unknown = JSON.parse(text);
    if (!Array.isArray(body)) return { status, body };
    // Without the artists of others.
    return { status, body: body.filter(({ id }: { id: string }) => id.startsWith(this.#name)) };
  }

  /** The responses of a round, with what the service may remember of their cursors. */
  exchangesOf(responses: readonly Response[]): Exchange[] {
    const now = responses.map(({ call, answer }) => cursorKey(call, nextCursorOf(answer)));
    return responses.map((response) => {
      const key = cursorKey(response.call, response.call.query?.cursor);
      const givenOut = this.#givenOut.get(key) ?? [];
      const mayBeRead = givenOut.length === 0 || !this.#service.isOneInstance;
      return { ...response, givenOut, mayBeRead, isGivenOut: now.includes(key) };
    });
  }

  /** Remembers the cursors that were given out while this was stored. */
  remember(responses: readonly Response[], stored: readonly Documents[]): void {
    for (const { call, answer } of responses) {
      if (!('body' in answer)) continue;
      const next = nextCursorOf(answer);
      this.#next.set(listOf(call), next);
      const key = cursorKey(call, next);
      this.#givenOut.set(key, [...(this.#givenOut.get(key) ?? []), ...stored]);
    }
  }
}

function listOf({ operation, artistId, query }: Call): string {
  return `${operation} ${artistId ?? String(query?.conversationId)}`;
}

function cursorKey(call: Call, cursor: unknown): string {
  return `${listOf(call)} ${String(cursor)}`;
}

function nextCursorOf(answer: Exchange['answer']): string | undefined {
  return 'body' in answer ? (answer.body as { nextCursor?: string }).nextCursor : undefined;
}

/** The method and the target of a call. */
function targetOf({ operation, artistId = '', query = {} }: Call): [method: string, path: string] {
  const [method = '', template = ''] = operation.split(' ');
  const path = template.replace(/\{\w+\}/, encodeURIComponent(artistId));
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) parameters.append(name, value);
  }
  return [method, parameters.size === 0 ? path : `${path}?${parameters.toString()}`];
}

function functionIdOf({ operation }: Call): string {
  const found = deployedEndpoints.find(
    ({ endpoint: { declaration } }) => `${declaration.method} ${declaration.path}` === operation,
  );
  if (found === undefined) throw new Error(`There is no ${operation}.`);
  return found.functionId;
}
