import type { components, operations } from '../schema.js' with { 'resolution-mode': 'import' };

export type { components, operations, paths } from '../schema.js' with { 'resolution-mode': 'import' };

/** A flash listing. */
export type FlashListing = components['schemas']['FlashListing'];
/** A gallery photo. */
export type GalleryPhoto = components['schemas']['GalleryPhoto'];
/** A message of a conversation. */
export type Message = components['schemas']['Message'];
/** A user. */
export type User = components['schemas']['User'];
/** An artist's schedule. */
export type Availability = components['schemas']['Availability'];

/** The id of an operation in the API's document: `flash-listByArtist`. */
export type OperationId = keyof operations;

type Parameters<Id extends OperationId, Kind extends 'path' | 'query'> = NonNullable<
  operations[Id]['parameters'][Kind]
>;
type JsonBody<Id extends OperationId> =
  NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined;
/** An optional property may also be `undefined`. */
type Lenient<Fields> = {
  [Name in keyof Fields]: object extends Pick<Fields, Name>
    ? Fields[Name] | undefined
    : Fields[Name];
};

/** What an operation takes: the parameters of its path and query, or its body; `undefined` if it takes nothing. */
export type Input<Id extends OperationId> =
  JsonBody<Id> extends object
    ? Lenient<JsonBody<Id>>
    : [Parameters<Id, 'path' | 'query'>] extends [never]
      ? undefined
      : ([Parameters<Id, 'path'>] extends [never] ? unknown : Parameters<Id, 'path'>) &
          ([Parameters<Id, 'query'>] extends [never] ? unknown : Lenient<Parameters<Id, 'query'>>);

/** What an operation resolves with. */
export type Output<Id extends OperationId> =
  operations[Id]['responses'][200]['content']['application/json'];

/** Calls an operation. Rejects with a `MarketplaceError`, or with the reason of an aborted signal. */
export type Call<Id extends OperationId> =
  Input<Id> extends undefined
    ? (input?: undefined, options?: CallOptions) => Promise<Output<Id>>
    : (input: Input<Id>, options?: CallOptions) => Promise<Output<Id>>;

/** How one call is made. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** How long the call may take, its retries included, in ms: 30 000 by default. */
  timeout?: number | undefined;
  /**
   * How often the call is tried again after a lost connection, a 429 or a 503: 3 times by default. It waits as long as
   * `Retry-After` says, and gives up at once if the time left is shorter.
   */
  retries?: number | undefined;
}

/** Gives a token, or `undefined` if there is none. It is asked before each request that needs one. */
export type TokenSource = () => Promise<string | undefined>;

/** What a client is made of. */
export interface MarketplaceOptions extends Pick<CallOptions, 'timeout' | 'retries'> {
  /** The base address of the API, ending in `/api`. */
  baseUrl: string;
  /** Where the ID token of the signed-in user comes from; only operations that need one ask for it. */
  token?: TokenSource | undefined;
  /** Where the App Check token comes from, if the API is deployed to enforce App Check. */
  appCheckToken?: TokenSource | undefined;
  /** What sends the requests instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The operations of the API, by the resource they belong to. */
// Written by `npm run openapi`, from here …
export interface MarketplaceClient {
  readonly artists: {
    /** List the verified artists. */
    readonly list: Call<'artists-list'>;
  };
  readonly availability: {
    /** Replace an availability schedule. */
    readonly updateAvailability: Call<'availability-updateAvailability'>;
  };
  readonly bookings: {
    /** Delete a session from a booking. */
    readonly deleteSession: Call<'bookings-deleteSession'>;
  };
  readonly conversations: {
    /** Read the messages of a conversation. */
    readonly getMessages: Call<'conversations-getMessages'>;
  };
  readonly flash: {
    /** List an artist's flash. */
    readonly listByArtist: Call<'flash-listByArtist'>;
    /** Mark flash listings as available. */
    readonly markAsAvailable: Call<'flash-markAsAvailable'>;
    /** Mark flash listings as unavailable. */
    readonly markAsUnavailable: Call<'flash-markAsUnavailable'>;
    /** Reorder flash listings. */
    readonly reorder: Call<'flash-reorder'>;
  };
  readonly gallery: {
    /** List an artist's gallery. */
    readonly listByArtist: Call<'gallery-listByArtist'>;
    /** Remove gallery photos. */
    readonly removePhotos: Call<'gallery-removePhotos'>;
  };
  readonly notifications: {
    /** Reset the counter of new notifications. */
    readonly resetNewNotifications: Call<'notifications-resetNewNotifications'>;
  };
  readonly unavailableEvents: {
    /** Edit an unavailable event. */
    readonly editUnavailableEvent: Call<'unavailableEvents-editUnavailableEvent'>;
  };
}
// … to here.

/** Makes a client: `client.artists.list()`, `client.flash.reorder({ flashUpdates })`. */
export function createMarketplaceClient(options: MarketplaceOptions): MarketplaceClient;

/**
 * The token of the user whom Firebase Auth has signed in, renewed when it has expired. It waits until Firebase has
 * restored the session of an earlier visit.
 */
export function firebaseToken(auth: {
  readonly currentUser: { getIdToken(): Promise<string> } | null;
  authStateReady?(): Promise<void>;
}): TokenSource;

/**
 * The pages of a list, one after the other: `pages(client.flash.listByArtist, { id, limit: 50 })`. If the element that
 * the next page starts after is removed meanwhile, it throws an error with `isCursorGone`: start again.
 */
export function pages<
  ListInput extends { cursor?: string | undefined },
  Page extends { nextCursor?: string | undefined },
>(
  list: (input: ListInput, options?: CallOptions) => Promise<Page>,
  input: NoInfer<ListInput>,
  options?: CallOptions,
): AsyncGenerator<Page, void, undefined>;

/** A call that failed. */
export class MarketplaceError extends Error {
  /** The HTTP status; 0 if there was no answer: a lost connection or a timeout. */
  status: number;
  /** The id under which the service has logged the request: name it when you ask for help. */
  requestId: string | undefined;
  /** How many seconds to wait before trying again, if the service says so. */
  retryAfter: number | undefined;
  /** How many requests were sent. After more than one, an earlier one may have done its work: a deletion then finds 404. */
  attempts: number;
  /** Whether `pages` cannot go on because the list has changed: read it again from its first page. */
  isCursorGone: boolean;
  constructor(
    message: string,
    details?: {
      status?: number | undefined;
      requestId?: string | undefined;
      retryAfter?: number | undefined;
      cause?: unknown;
    },
  );
}
