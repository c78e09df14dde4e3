import type { Client } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, operations, paths } from './schema.js';

/** A flash listing, as the API gives it. */
export type FlashListing = components['schemas']['FlashListing'];
/** A gallery photo, as the API gives it. */
export type GalleryPhoto = components['schemas']['GalleryPhoto'];
/** A message, as the API gives it. */
export type Message = components['schemas']['Message'];
/** A user, as the API gives one. */
export type User = components['schemas']['User'];

/** Gives the ID token of whoever is signed in, if anybody is. It is asked before each call. */
export type TokenSource = () => Promise<string | undefined>;

/** What a client is made of. */
export interface MarketplaceOptions {
  /** The base address of the API, ending in `/api`. */
  baseUrl: string;
  /** Where the token comes from; left out, only what is public can be called. */
  token?: TokenSource;
  /** What sends the requests; the global `fetch` when left out. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Makes a client: `client.GET('/artists')`, `client.PUT('/flash/reorder', { body })`. A call resolves with `data`, or with
 * `error` (`{ message }`), and with the `response`.
 */
export function createMarketplaceClient(options: MarketplaceOptions): Client<paths>;

/** The token of the user whom `firebase/auth` has signed in, renewed where it has expired. */
export function firebaseToken(auth: {
  readonly currentUser: { getIdToken(): Promise<string> } | null;
}): TokenSource;

/**
 * The pages of a list, one after the other, by `nextCursor`. `load` reads the page after a cursor, the first without one.
 * Throws a `MarketplaceError` where a page cannot be read.
 */
export function pages<Page extends { nextCursor?: string | undefined }>(
  load: (cursor: string | undefined) => Promise<{
    data?: Page | undefined;
    error?: { message: string } | undefined;
    response: Response;
  }>,
): AsyncGenerator<Page, void, undefined>;

/** What the API has refused, with its message. */
export class MarketplaceError extends Error {
  /** The HTTP status of the answer. */
  readonly status: number;
  constructor(status: number, message?: string);
}
