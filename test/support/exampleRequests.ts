import { EXAMPLE_CALLER } from '../../functions/src/http/declaration.ts';
import type { Data, Store } from '../emulator/firestore/store.ts';
import { deployedEndpoint, exampleOf } from './deployMap.ts';
import {
  storedAvailability,
  storedBooking,
  storedEvent,
  storedListing,
  storedMessage,
  storedPhoto,
} from './factories.ts';

/** A request that gets 200 if the documents of its world exist. */
export interface ExampleRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The caller of the example requests, and the prefix of the ids of the documents that they name. */
export interface ExampleWorld {
  readonly uid: string;
  /** Undefined on the demo data, where the documents have the ids of the examples. */
  readonly prefix?: string;
  /** The number of documents in a list of ids. */
  readonly size?: number;
}

function idsOf({ prefix = '', size = 3 }: ExampleWorld): string[] {
  return Array.from({ length: size }, (_, index) => `${prefix}-${index}`);
}

/** The number of documents of a kind that requests name one by one. */
const SINGLES = 3;

/**
 * Stores the documents that the example requests of a world need; the caller owns all of them. `collection` leaves out
 * what only other resources need.
 */
export async function storeExampleWorld(
  store: Store,
  world: ExampleWorld,
  collection?: string,
): Promise<void> {
  const { uid, prefix = '' } = world;
  const documents: (readonly [string, Data])[] = [
    [`users/${uid}`, { newNotificationsCount: 3 }],
    [`conversations/${prefix}-0`, { participantIds: [uid] }],
  ];
  idsOf(world).forEach((id, order) => {
    documents.push(
      [`flash/${id}`, storedListing({ artistId: uid, order })],
      [`gallery/${id}`, storedPhoto({ artistId: uid, order })],
      [`conversations/${prefix}-0/messages/${id}`, storedMessage()],
    );
    if (order >= SINGLES) return;
    documents.push(
      [`availability/${id}`, storedAvailability({ artistId: uid })],
      [`unavailableEvents/${id}`, storedEvent({ artistId: uid })],
      [`bookings/${id}`, storedBooking({ artistId: uid })],
    );
  });
  const needed = collection === undefined ? '' : `${collection}/`;
  await store.setAll(
    documents.filter(([path]) => path.startsWith(needed) || path.startsWith('users/')),
  );
}

/** The parts of a request, before they become a URL and JSON. */
export interface RequestParts {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** The parts of a function's example request in a world. The page size is the default. */
export function exampleParts(functionId: string, world: ExampleWorld): RequestParts {
  const deployed = deployedEndpoint(functionId);
  const { params = {}, query = {}, body } = exampleOf(deployed);
  const inWorld = world.prefix === undefined ? (value: unknown) => value : renamedFor(world);
  const inQuery = Object.entries(inWorld(query) as Record<string, string>);
  return {
    query: Object.fromEntries(inQuery.filter(([name]) => name !== 'limit')),
    params: inWorld(params) as Record<string, unknown>,
    body: body && (inWorld(body) as Record<string, unknown>),
  };
}

/** The path and query of a function for these parameters. */
export function targetOf(
  functionId: string,
  { params, query }: Pick<RequestParts, 'params' | 'query'>,
): string {
  const { path } = deployedEndpoint(functionId).endpoint.declaration;
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) parameters.append(name, textOf(value));
  }
  const target = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(textOf(params[name]).toWellFormed()),
  );
  return `${target}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** The example request of a function in a world; `query` is added to the query of a list. */
export function exampleRequest(
  functionId: string,
  world: ExampleWorld,
  token: string,
  query: Readonly<Record<string, string>> = {},
): ExampleRequest {
  const { params, body, ...example } = exampleParts(functionId, world);
  return {
    method: deployedEndpoint(functionId).endpoint.declaration.method,
    path: targetOf(functionId, { params, query: { ...example.query, ...query } }),
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}

/**
 * Replaces the ids in an example by those of a world: the demo account by the caller, and other document ids by the
 * world's own, one after the other. A list of ids gets all ids of the world.
 */
function renamedFor(world: ExampleWorld): (value: unknown) => unknown {
  const ids = idsOf(world);
  const names = new Map<string, string>([[EXAMPLE_CALLER, world.uid]]);

  function renamed(id: string): string {
    const name = names.get(id) ?? ids[names.size - 1] ?? id;
    names.set(id, name);
    return name;
  }

  return function rename(value: unknown, field = 'id'): unknown {
    if (Array.isArray(value)) return renameList(value, field);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, rename(member, name)]),
      );
    }
    return typeof value === 'string' && /^id$|Ids?$/.test(field) ? renamed(value) : value;
  };

  function renameList(list: readonly unknown[], field: string): unknown[] {
    if (field.endsWith('Ids')) return ids;
    const [first] = list;
    // One element for each document.
    if (typeof first === 'object' && first !== null && 'id' in first) {
      return ids.map((id, index) => ({ ...first, id, ...('order' in first && { order: index }) }));
    }
    return [...list];
  }
}
