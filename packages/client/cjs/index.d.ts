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
/** A day of the week, as a schedule names it. */
export type Day =
  'Sunday' | 'Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday';
type StoredAvailability = components['schemas']['Availability'];
type DateRange = 'dateRangeType' | 'effectiveUntil' | 'rollingDays';
/** An artist's schedule. The type of its date range says which of the optional fields are required. */
export type Availability = Lenient<Omit<StoredAvailability, DateRange | 'weeklySlots'>> & {
  /** For each day any JSON except an array directly inside an array. */
  weeklySlots: Partial<Record<Day, unknown>>;
} & (
    | ({ dateRangeType: 'indefinitely' } & Lenient<
        Pick<StoredAvailability, Exclude<DateRange, 'dateRangeType'>>
      >)
    | ({ dateRangeType: 'specific'; effectiveUntil: number } & Lenient<
        Pick<StoredAvailability, 'rollingDays'>
      >)
    | ({ dateRangeType: 'rolling'; rollingDays: number | string } & Lenient<
        Pick<StoredAvailability, 'effectiveUntil'>
      >)
  );

/** The codes of the service in the response header `X-Error-Code`, as of this version. Their meanings never change. */
export type ServiceErrorCode = components['headers']['X-Error-Code'];
/**
 * Why a call has failed. `platform`: the response has no code, because it does not come from the service but from Google
 * Cloud or a proxy. `no-response`: there was no response. Later versions of the service may send other codes, so a record
 * of sentences is a `Partial<Record<ErrorCode, string>>`.
 */
export type ErrorCode = ServiceErrorCode | 'platform' | 'no-response' | (string & {});

/** The id of an operation in the OpenAPI document: `flashListByArtist`. */
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

/** The input of an operation: its path and query parameters, or its body; `undefined` if it has none. */
export type Input<Id extends OperationId> =
  JsonBody<Id> extends StoredAvailability
    ? Availability
    : JsonBody<Id> extends object
      ? Lenient<JsonBody<Id>>
      : [Parameters<Id, 'path' | 'query'>] extends [never]
        ? undefined
        : ([Parameters<Id, 'path'>] extends [never] ? unknown : Parameters<Id, 'path'>) &
            ([Parameters<Id, 'query'>] extends [never]
              ? unknown
              : Lenient<Parameters<Id, 'query'>>);

/** How a page ends: `nextCursor` is the `cursor` for the next page. It is present exactly when `hasMore` is true. */
type PageEnd = { hasMore: true; nextCursor: string } | { hasMore: false; nextCursor?: undefined };
type Paged<Body> = Body extends { hasMore: boolean } ? Omit<Body, keyof PageEnd> & PageEnd : Body;

/** The result of an operation. */
export type Output<Id extends OperationId> = Paged<
  operations[Id]['responses'][200]['content']['application/json']
>;

/** Calls an operation. Rejects with a `MarketplaceError`, or with the reason of an aborted signal. */
export type Call<Id extends OperationId> =
  Input<Id> extends undefined
    ? (input?: undefined, options?: CallOptions) => Promise<Output<Id>>
    : (input: Input<Id>, options?: CallOptions) => Promise<Output<Id>>;

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** The timeout of the call including retries, in ms. Default: 30 000. `Infinity` for none. */
  timeout?: number | undefined;
  /**
   * How often the call is retried after a lost connection, 408, 429, 502, 503 or 504. Default: 3. If `Retry-After`
   * exceeds the remaining time, the call fails at once.
   */
  retries?: number | undefined;
}

/** Returns a token, or `undefined` if there is none. Called before each request that needs one. */
export type TokenSource = (forceRefresh?: boolean) => Promise<string | undefined>;

/** Options of a client. */
export interface MarketplaceOptions extends Pick<CallOptions, 'timeout' | 'retries'> {
  /** The base URL of the API, ending in `/api`. In a browser it may be a path. */
  baseUrl: string;
  /**
   * Returns the ID token of the signed-in user. Called only for operations that need one. After a 401 it is called once
   * more with `true`, to return a new token for all calls that were refused with the old one, which are sent again.
   */
  token?: TokenSource | undefined;
  /** Returns the App Check token, if the API enforces App Check. */
  appCheckToken?: TokenSource | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The operations of the API, grouped by resource. */
// Written by `npm run generate`, from here …
export interface MarketplaceClient {
  readonly artists: {
    /** List the verified artists. */
    readonly list: Call<'artistsList'>;
  };
  readonly availability: {
    /** Replace an availability schedule. */
    readonly updateAvailability: Call<'availabilityUpdateAvailability'>;
  };
  readonly bookings: {
    /** Delete a session from a booking. */
    readonly deleteSession: Call<'bookingsDeleteSession'>;
  };
  readonly conversations: {
    /** Read the messages of a conversation. */
    readonly getMessages: Call<'conversationsGetMessages'>;
  };
  readonly flash: {
    /** List an artist's flash. */
    readonly listByArtist: Call<'flashListByArtist'>;
    /** Mark flash listings as available. */
    readonly markAsAvailable: Call<'flashMarkAsAvailable'>;
    /** Mark flash listings as unavailable. */
    readonly markAsUnavailable: Call<'flashMarkAsUnavailable'>;
    /** Reorder flash listings. */
    readonly reorder: Call<'flashReorder'>;
  };
  readonly gallery: {
    /** List an artist's gallery. */
    readonly listByArtist: Call<'galleryListByArtist'>;
    /** Remove gallery photos. */
    readonly removePhotos: Call<'galleryRemovePhotos'>;
  };
  readonly notifications: {
    /** Reset the counter of new notifications. */
    readonly resetNewNotifications: Call<'notificationsResetNewNotifications'>;
  };
  readonly unavailableEvents: {
    /** Edit an unavailable event. */
    readonly editUnavailableEvent: Call<'unavailableEventsEditUnavailableEvent'>;
  };
}
// … to here.

/** Creates a client: `client.artists.list()`, `client.flash.reorder({ flashUpdates })`. */
export function createMarketplaceClient(options: MarketplaceOptions): MarketplaceClient;

/**
 * Returns the token of the user who is signed in with Firebase Auth, and renews it if it has expired. Waits until
 * Firebase has restored the session of an earlier visit.
 */
export function firebaseToken(auth: {
  readonly currentUser: { getIdToken(forceRefresh?: boolean): Promise<string> } | null;
  authStateReady?(): Promise<void>;
}): TokenSource;

/**
 * Reads a list page by page: `pages(client.flash.listByArtist, { id, limit: 50 })`, with `for await`, or with `next()`
 * for each further page. A page may have fewer elements than `limit`: only `hasMore` tells whether it is the last.
 */
export function pages<
  ListInput extends { cursor?: string | undefined },
  Page extends { nextCursor?: string | undefined },
>(
  list: (input: ListInput, options?: CallOptions) => Promise<Page>,
  input: NoInfer<ListInput>,
  options?: CallOptions,
): Pages<Page>;

/** The pages of a list. No element comes twice. */
export interface Pages<Page> {
  /**
   * Reads the next page; `done` is true after the last one. If it fails, the next call reads the same page again. If it
   * is called while another call reads, it waits for that one.
   *
   * If the element at the end of the previous page has been removed, or cached pages lead in a circle, it starts again
   * from the first page and skips the elements that you have. It does so up to four times, after 1, 2, 4 and 8 seconds,
   * then rejects (`cursor-not-found`).
   */
  readonly next: () => Promise<IteratorResult<Page, undefined>>;
  [Symbol.asyncIterator](): Pages<Page>;
}

/** A failed call. */
export class MarketplaceError extends Error {
  /** The HTTP status; 0 if there was no response: a lost connection or a timeout. */
  status: number;
  /** Why the call has failed, for programs. */
  code: ErrorCode;
  /** The id of the request in the logs of the service: include it in bug reports. */
  requestId: string | undefined;
  /** Seconds to wait before a retry, if the service says so. */
  retryAfter: number | undefined;
  /** How many requests were sent. */
  attempts: number;
  /**
   * Whether one of these requests may have been carried out all the same: its response was lost, or the service could
   * not tell. Always false for reads.
   */
  mayHaveSucceeded: boolean;
  constructor(
    message: string,
    details?: {
      status?: number | undefined;
      code?: ErrorCode | undefined;
      requestId?: string | undefined;
      retryAfter?: number | undefined;
      cause?: unknown;
    },
  );
}
