import type { RawResponse } from '../../support/rawRequest.ts';
import {
  endpoints,
  placeOf,
  type Call,
  type Documents,
  type Operation,
  type Place,
} from './contract.ts';
import type { Exchange } from './explain.ts';
import type { Fault, PlannedCall } from './generator.ts';
import { numberOf, timeOf, type Data } from './values.ts';

/** The service that is held to the contract. */
export interface Service {
  readonly projectId: string;
  /** Its Firestore: `host:port`. */
  readonly firestore: string;
  readonly tokenOf: (uid: string) => string;
  readonly send: (operation: Operation, path: string, request: Request) => Promise<RawResponse>;
  /** Whether one instance serves all calls of an operation, and so remembers all of its cursors. */
  readonly isOneInstance: boolean;
  /** Makes faults strike its calls of Firestore that name a text, until the returned function is called. */
  readonly strike?: (faults: readonly Fault[], text: string) => () => Promise<void>;
}

interface Request {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** A call and the response to it. */
type Response = Omit<Exchange, 'places'>;

/** The part of a page that leads to the next one. */
interface Page {
  readonly nextCursor?: string;
  readonly flash?: readonly Data[];
  readonly photos?: readonly Data[];
  readonly messages?: readonly Data[];
}

/** The people of a history, and what they have seen so far. */
export class People {
  readonly #service: Service;
  /** What all ids of the history start with. */
  readonly #name: string;
  readonly #tagged = new Map<string, { readonly tag: string; readonly body: unknown }>();
  /** The cursor of the page that was read last, by list. */
  readonly #next = new Map<string, string | undefined>();
  /** Where the elements of cursors may have stood when they were given out. */
  readonly #places = new Map<string, readonly Place[]>();

  constructor(service: Service, name: string) {
    this.#service = service;
    this.#name = name;
  }

  /** Makes a call. */
  async call({ call: planned, continues, isConditional }: PlannedCall): Promise<Response> {
    const cursor = continues ? this.#next.get(listOf(planned)) : undefined;
    const call =
      cursor === undefined ? planned : { ...planned, query: { ...planned.query, cursor } };
    const { operation, caller, artistId = '', query = {}, body } = call;
    const [method = '', template = ''] = endpoints[operation][0].split(' ');
    const parameters = Object.entries(query).flatMap(([key, values]) =>
      [values].flat().map((value): [string, string] => [key, value]),
    );
    const search = new URLSearchParams(parameters).toString();
    const path = `${template.replace('{id}', encodeURIComponent(artistId))}${search && '?'}${search}`;
    const cached = isConditional ? this.#tagged.get(path) : undefined;
    const headers = {
      ...(caller !== undefined && { Authorization: `Bearer ${this.#service.tokenOf(caller)}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(cached && { 'If-None-Match': cached.tag }),
    };
    const [begin, from] = [performance.now(), Date.now()];
    const request = { method, headers, ...(body !== undefined && { body }) };
    const response = await this.#service.send(operation, path, request);
    const answer = this.#answerOf(response);
    const { etag } = response.headers;
    if ('body' in answer && etag !== undefined)
      this.#tagged.set(path, { tag: etag, body: answer.body });
    const [end, to] = [performance.now(), Date.now()];
    return { call, begin, end, times: [from, to], answer, ...(cached && { cached: cached.body }) };
  }

  #answerOf({ status, headers, text }: RawResponse): Exchange['answer'] {
    if (status === 304) return { status };
    if (status !== 200) return { status, code: headers['x-error-code'] } as Exchange['answer'];
    const body: unknown = JSON.parse(text);
    if (!Array.isArray(body)) return { status, body };
    // Without the artists of others.
    return { status, body: body.filter(({ id }: { id: string }) => id.startsWith(this.#name)) };
  }

  /** The exchanges of a round, with the places where the elements of their cursors may have stood. */
  placed(responses: readonly Response[], before: Documents, after: Documents): Exchange[] {
    const given = responses.flatMap(({ call, answer }) => {
      if (!('body' in answer)) return [];
      const { nextCursor, ...elements } = answer.body as Page;
      this.#next.set(listOf(call), nextCursor);
      if (nextCursor === undefined) return [];
      const last = (elements.flash ?? elements.photos ?? elements.messages)?.at(-1);
      const places = placesOf(call, nextCursor, last, [before, after]);
      return [{ key: `${listOf(call)} ${nextCursor}`, places }];
    });
    const exchanges = responses.map((response) => {
      const key = `${listOf(response.call)} ${String(response.call.query?.cursor)}`;
      const known = this.#places.get(key) ?? [];
      const maybe = given.filter((each) => each.key === key).flatMap(({ places }) => places);
      const isRead = known.length === 0 || !this.#service.isOneInstance;
      return { ...response, places: [...known, ...maybe, ...(isRead ? [undefined] : [])] };
    });
    for (const { key, places } of given) {
      this.#places.set(key, [...(this.#places.get(key) ?? []), ...places]);
    }
    return exchanges;
  }
}

function listOf({ operation, artistId, query }: Call): string {
  return `${operation} ${artistId ?? String(query?.conversationId)}`;
}

/** Where an element of a page may have stood: what is stored may be of another kind than what leaves. */
function placesOf(
  call: Call,
  id: string,
  element: Data = {},
  stored: readonly Documents[],
): Place[] {
  const isMessage = call.operation === 'conversations-getMessages';
  const [kind, field] = isMessage ? [timeOf, 'timestamp'] : [numberOf, 'order'];
  const collection = isMessage
    ? `conversations/${String(call.query?.conversationId)}/messages`
    : call.operation.replace('-listByArtist', '');
  const values = [
    element[field],
    ...stored.map((documents) => documents[`${collection}/${id}`]?.[field]),
  ];
  return values
    .filter((value) => value !== undefined && kind(value) === element[field])
    .map((value) => placeOf(value, id));
}
