import type { Store } from '../../emulator/firestore/store.ts';
import { deployedEndpoints } from '../../support/deployMap.ts';
import type { RawResponse } from '../../support/rawRequest.ts';
import type { Answer, Call } from './contract.ts';
import type { Exchange } from './explain.ts';
import type { Fault, PlannedCall } from './generator.ts';

/** The service that is held to the contract: one instance of each function, so that it remembers all cursors. */
export interface Service {
  readonly store: Store;
  readonly tokenOf: (uid: string) => string;
  readonly send: (functionId: string, path: string, request: Request) => Promise<RawResponse>;
  /** Makes faults strike its calls of Firestore that name a text, until the returned function is called. */
  readonly strike?: (faults: readonly Fault[], text: string) => () => Promise<void>;
}

interface Request {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The people of a history: a function that makes their calls. `name` is what all ids of the history start with. */
export function people(service: Service, name: string) {
  /** The cursor of the page that was read last, by list. */
  const next = new Map<string, string | undefined>();

  return async ({ call: planned, continues }: PlannedCall): Promise<Exchange> => {
    const list = `${planned.operation} ${planned.artistId ?? String(planned.query?.conversationId)}`;
    const cursor = continues ? next.get(list) : undefined;
    const call = cursor ? { ...planned, query: { ...planned.query, cursor } } : planned;
    const [begin, from] = [performance.now(), Date.now()];
    const response = await send(service, call);
    const [end, to] = [performance.now(), Date.now()];
    const answer = answerOf(response, name);
    const { nextCursor } = ('body' in answer ? answer.body : {}) as { nextCursor?: string };
    if ('body' in answer) next.set(list, nextCursor);
    const pages = [call.query?.cursor, nextCursor].map((each) => each && `${list} ${String(each)}`);
    return { call, begin, end, times: [from, to], answer, page: pages[0], nextPage: pages[1] };
  };
}

async function send({ send, tokenOf }: Service, call: Call): Promise<RawResponse> {
  const { operation, caller, artistId = '', query = {}, body } = call;
  const [method = '', template = ''] = operation.split(' ');
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
  const path = `${template.replace(/\{\w+\}/, encodeURIComponent(artistId))}${search}`;
  const headers = {
    ...(caller !== undefined && { Authorization: `Bearer ${tokenOf(caller)}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  return send(functionIdOf(call), path, { method, headers, ...(body !== undefined && { body }) });
}

function answerOf({ status, headers, text }: RawResponse, name: string): Answer {
  if (status !== 200) return { status, code: headers['x-error-code'] } as Answer;
  const body: unknown = JSON.parse(text);
  if (!Array.isArray(body)) return { status, body };
  // Without the artists of others.
  return { status, body: body.filter(({ id }: { id: string }) => id.startsWith(name)) };
}

function functionIdOf({ operation }: Call): string {
  const found = deployedEndpoints.find(
    ({ endpoint: { declaration } }) => `${declaration.method} ${declaration.path}` === operation,
  );
  if (found === undefined) throw new Error(`There is no ${operation}.`);
  return found.functionId;
}
