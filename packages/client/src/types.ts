/** The types that apps use. */
import type { OPERATIONS } from './operations.ts';
import type { components, operations } from './schema.ts';

/** A day of the week in a schedule. */
export type Day =
  'Sunday' | 'Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday';

/** An artist's schedule. Which fields of its date range are required depends on `dateRangeType`. */
export type Availability = ScheduleFields & (IndefiniteRange | SpecificRange | RollingRange);

/** The fields of a schedule that do not depend on its date range. */
interface ScheduleFields {
  /** The ID of the artist who owns the schedule. */
  artistId: string;
  /** The ID of the schedule. */
  availabilityId: string;
  /** True if the schedule is in use. */
  isActive: boolean;
  /** For each day any JSON except an array directly inside an array. */
  weeklySlots: Partial<Record<Day, unknown>>;
  /** The start of the schedule, in ms, UTC. */
  effectiveFrom: number;
  /** Ignored: the stored time does not change. */
  createdAt?: number | null | undefined;
  /** Ignored: the server's time is stored. */
  updatedAt?: number | null | undefined;
}

interface IndefiniteRange {
  dateRangeType: 'indefinitely';
  effectiveUntil?: number | null | undefined;
  rollingDays?: number | null | undefined;
}

interface SpecificRange {
  dateRangeType: 'specific';
  /** The end of the schedule, in ms, UTC. */
  effectiveUntil: number;
  rollingDays?: number | null | undefined;
}

interface RollingRange {
  dateRangeType: 'rolling';
  /** The number of days ahead that the schedule covers: 1 to 366, or a string of its digits. */
  rollingDays: number | string;
  effectiveUntil?: number | null | undefined;
}

/** The codes of the service in the response header `X-Error-Code`, as of this version. Their meanings never change. */
export type ServiceErrorCode = components['headers']['X-Error-Code'];
/**
 * The reason why a call failed. `platform`: the response comes from Google Cloud or a proxy, not from the service.
 * `no-response`: there was no response. `no-token`: the app provided no token in time. `user-changed`: the user who
 * started the call has signed out, or another user has signed in. Later versions of the service may send other codes, so
 * the type of an app's messages is `Partial<Record<ErrorCode, string>>`.
 */
export type ErrorCode =
  ServiceErrorCode | 'platform' | 'no-response' | 'no-token' | 'user-changed' | (string & {});

/** The ID of an operation in the OpenAPI document: `flashListByArtist`. */
export type OperationId = keyof operations;

/** The operations of the API, grouped by resource. */
export type MarketplaceClient = {
  readonly [Group in keyof Operations]: {
    readonly [Name in keyof Operations[Group]]: Call<JoinedId<Group, Name>>;
  };
};
type Operations = typeof OPERATIONS;
/** The ID of an operation: `flash` and `listByArtist` become `flashListByArtist`. */
type JoinedId<Group, Name> = `${Group & string}${Capitalize<Name & string>}` & OperationId;

/** Calls an operation. Rejects with a `MarketplaceError`, the reason of an aborted signal, or the error of `token`. */
export type Call<Id extends OperationId> = Id extends OperationId
  ? undefined extends Input<Id>
    ? (input?: undefined, options?: CallOptions) => Promise<Output<Id>>
    : (input: Input<Id>, options?: CallOptions) => Promise<Output<Id>>
  : never;

/** The input of an operation: its parameters and the fields of its body; `undefined` if it has none. */
export type Input<Id extends OperationId> = Id extends keyof HandwrittenInputs
  ? HandwrittenInputs[Id]
  : keyof DeclaredFields<Id> extends never
    ? undefined
    : InputFields<Id>;

/** Inputs whose rules OpenAPI cannot express. */
interface HandwrittenInputs {
  availabilityUpdateAvailability: Availability;
}

/** The fields of an input. An optional field may be undefined, such as the cursor of the first page. */
type InputFields<Id extends OperationId> = {
  [Name in keyof DeclaredFields<Id>]: undefined extends DeclaredFields<Id>[Name]
    ? DeclaredFields<Id>[Name] | undefined
    : DeclaredFields<Id>[Name];
};

/** The parameters of an operation in its path, and the fields of its body, or else of its query. */
type DeclaredFields<Id extends OperationId> = Present<operations[Id]['parameters']['path']> &
  ([RequestBody<Id>] extends [never]
    ? Present<operations[Id]['parameters']['query']>
    : RequestBody<Id>);
type RequestBody<Id extends OperationId> = NonNullable<
  operations[Id]['requestBody']
>['content']['application/json'];

/** The parameters in a part of a request; `unknown` if it has none. */
type Present<Type> = [NonNullable<Type>] extends [never] ? unknown : NonNullable<Type>;

/** The result of an operation. */
export type Output<Id extends OperationId> = Id extends OperationId
  ? ResponseBody<Id> extends { hasMore: boolean }
    ? Page<ResponseBody<Id>>
    : ResponseBody<Id>
  : never;
type ResponseBody<Id extends OperationId> =
  operations[Id]['responses'][200]['content']['application/json'];

/** A page of a list. If it has more, it has a cursor. */
export type Page<Body> = Omit<Body, 'hasMore' | 'nextCursor'> & PageEnd;

/** The end of a page. `nextCursor` is the `cursor` for the next page. */
type PageEnd = { hasMore: true; nextCursor: string } | { hasMore: false; nextCursor?: undefined };

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** The timeout of the call including retries, in ms. Default: 30 000. `Infinity` for none. */
  timeout?: number | undefined;
  /**
   * The maximum number of retries after a lost connection, 408, 429, 502, 503 or 504. Default: 3. If `Retry-After`
   * exceeds the remaining time, the call fails at once.
   */
  retries?: number | undefined;
  /**
   * The idempotency key of a call that creates a document: calls with the same key and input create
   * one document. By default each call has its own key. An app that repeats a call after a restart stores
   * a key with the input: 1 to 200 visible ASCII characters. Other calls ignore it.
   */
  idempotencyKey?: string | undefined;
  /** Ignored. TanStack Query passes it, so that a method can be a `mutationFn`. */
  meta?: unknown;
  /** Calls with the same object belong to the user of the first call. `pages` sets it. */
  caller?: Caller | undefined;
}

/** The user that a group of calls belongs to. */
export interface Caller {
  /**
   * The user's ID in the first token. The property is missing before the first token, and `undefined` for a caller
   * without a user.
   */
  sub?: string | undefined;
}

/** Returns a token, or `undefined` if there is none. Called before each call that needs one. */
export type TokenSource = (forceRefresh?: boolean) => Promise<string | undefined>;

/** Options of a client. */
export interface MarketplaceOptions extends Pick<CallOptions, 'timeout' | 'retries'> {
  /** The base URL of the API, which ends with `/api`. In a browser it may be a path. */
  baseUrl: string;
  /**
   * Returns the ID token of the signed-in user. Called only for operations that need a token. After a 401 it is called
   * once more with `true`, to return a new token.
   */
  token?: TokenSource | undefined;
  /** Returns the App Check token. If it rejects, or takes 5 seconds, the request has none. */
  appCheckToken?: TokenSource | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}
