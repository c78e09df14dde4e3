import type { OPERATIONS } from './operations.ts';
import type { components, operations } from './schema.ts';

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
export type Availability = AllowUndefined<Omit<StoredAvailability, DateRange | 'weeklySlots'>> & {
  /** For each day any JSON except an array directly inside an array. */
  weeklySlots: Partial<Record<Day, unknown>>;
} & (
    | ({ dateRangeType: 'indefinitely' } & AllowUndefined<
        Pick<StoredAvailability, Exclude<DateRange, 'dateRangeType'>>
      >)
    | ({ dateRangeType: 'specific'; effectiveUntil: number } & AllowUndefined<
        Pick<StoredAvailability, 'rollingDays'>
      >)
    | ({ dateRangeType: 'rolling'; rollingDays: number | string } & AllowUndefined<
        Pick<StoredAvailability, 'effectiveUntil'>
      >)
  );

/** The codes of the service in the response header `X-Error-Code`, as of this version. Their meanings never change. */
export type ServiceErrorCode = components['headers']['X-Error-Code'];
/**
 * Why a call has failed. `platform`: the response does not come from the service but from Google Cloud or a proxy.
 * `no-response`: there was no response. `no-token`: the app had no token in time. `user-changed`: another user has signed
 * in since the call began, or nobody is signed in any more. Later versions of the service may send other codes, so a
 * record of sentences is a `Partial<Record<ErrorCode, string>>`.
 */
export type ErrorCode =
  ServiceErrorCode | 'platform' | 'no-response' | 'no-token' | 'user-changed' | (string & {});

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
type AllowUndefined<Fields> = {
  [Name in keyof Fields]: object extends Pick<Fields, Name>
    ? Fields[Name] | undefined
    : Fields[Name];
};

/** The input of an operation: its path and query parameters, or its body; `undefined` if it has none. */
export type Input<Id extends OperationId> =
  JsonBody<Id> extends StoredAvailability
    ? Availability
    : JsonBody<Id> extends object
      ? AllowUndefined<JsonBody<Id>>
      : [Parameters<Id, 'path' | 'query'>] extends [never]
        ? undefined
        : ([Parameters<Id, 'path'>] extends [never] ? unknown : Parameters<Id, 'path'>) &
            ([Parameters<Id, 'query'>] extends [never]
              ? unknown
              : AllowUndefined<Parameters<Id, 'query'>>);

/** How a page ends: `nextCursor` is the `cursor` for the next page. It is present exactly when `hasMore` is true. */
type PageEnd = { hasMore: true; nextCursor: string } | { hasMore: false; nextCursor?: undefined };
type WithPageEnd<Body> = Body extends { hasMore: boolean }
  ? Omit<Body, keyof PageEnd> & PageEnd
  : Body;

/** The result of an operation. */
export type Output<Id extends OperationId> = WithPageEnd<
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
  /**
   * The idempotency key of a call that creates something: calls with the same key and input create
   * it once. By default each call has its own key. Store one with the input for an app that repeats
   * the call after it was restarted: 1 to 200 visible ASCII characters.
   */
  idempotencyKey?: string | undefined;
  /** Calls with the same object belong to the user of the first one. `pages` sets it. */
  caller?: Caller | undefined;
}

/** The user that a group of calls belongs to. */
export interface Caller {
  /** The user's id in the first token; `undefined` before it. */
  sub?: string | undefined;
}

/** Returns a token, or `undefined` if there is none. Called before each call that needs one. */
export type TokenSource = (forceRefresh?: boolean) => Promise<string | undefined>;

/** Options of a client. */
export interface MarketplaceOptions extends Pick<CallOptions, 'timeout' | 'retries'> {
  /** The base URL of the API, ending in `/api`. In a browser it may be a path. */
  baseUrl: string;
  /**
   * Returns the ID token of the signed-in user. Called only for operations that need one. After a 401 it is called once
   * more with `true`, to return a new token.
   */
  token?: TokenSource | undefined;
  /** Returns the App Check token, if the API enforces App Check. */
  appCheckToken?: TokenSource | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The operations of the API, grouped by resource. */
export type MarketplaceClient = {
  readonly [Group in keyof typeof OPERATIONS]: {
    readonly [Name in keyof (typeof OPERATIONS)[Group]]: Call<
      OperationId & `${Group}${Capitalize<Name & string>}`
    >;
  };
};
