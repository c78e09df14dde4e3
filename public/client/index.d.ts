import type { components, operations } from './schema.js';

export type { components, operations, paths } from './schema.js';

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
export interface MarketplaceClient {
  readonly artists: {
    /** Lists the verified artists. */
    readonly list: Call<'artists-list'>;
  };
  readonly availability: {
    /** Replaces an availability schedule as a whole. */
    readonly updateAvailability: Call<'availability-updateAvailability'>;
  };
  readonly bookings: {
    /** Deletes a session from a booking. Sent twice, the second one finds nothing (404), or the next of that number. */
    readonly deleteSession: Call<'bookings-deleteSession'>;
  };
  readonly conversations: {
    /** Reads a page of the messages of a conversation, newest first. */
    readonly getMessages: Call<'conversations-getMessages'>;
  };
  readonly flash: {
    /** Lists a page of an artist's visible flash. */
    readonly listByArtist: Call<'flash-listByArtist'>;
    /** Makes listings available for booking, all of them or none. */
    readonly markAsAvailable: Call<'flash-markAsAvailable'>;
    /** Makes listings unavailable for booking, all of them or none. */
    readonly markAsUnavailable: Call<'flash-markAsUnavailable'>;
    /** Changes the `order` of listings, all of them or none. */
    readonly reorder: Call<'flash-reorder'>;
  };
  readonly gallery: {
    /** Lists a page of an artist's visible gallery photos. */
    readonly listByArtist: Call<'gallery-listByArtist'>;
    /** Deletes photos, all of them or none. */
    readonly removePhotos: Call<'gallery-removePhotos'>;
  };
  readonly notifications: {
    /** Sets the caller's counter of new notifications to 0. */
    readonly resetNewNotifications: Call<'notifications-resetNewNotifications'>;
  };
  readonly unavailableEvents: {
    /** Replaces the title and the times of an unavailable event. */
    readonly editUnavailableEvent: Call<'unavailableEvents-editUnavailableEvent'>;
  };
}

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
