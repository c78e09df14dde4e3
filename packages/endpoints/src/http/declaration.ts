import type { HttpsFunction } from 'firebase-functions/https';
import * as z from 'zod';
import type { Setting } from '../setting.ts';
import type { ErrorCode } from '../errors.ts';
import type { Caller } from '../auth/authentication.ts';

/** A schema without fields: for requests without path parameters, query or body. */
export const nothing = z.object({});
export type Nothing = typeof nothing;

/** Who may call an endpoint: anyone, or anyone with a valid Firebase ID token. */
export type AnyAccess = 'public' | 'signedIn';

/** The single source of an endpoint's route, validation, types, documentation and function. */
export interface Declaration<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Reply extends z.ZodType = z.ZodType,
  Access extends AnyAccess = AnyAccess,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base URL; `{name}` is a path parameter. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** Who of those signed in may call it, if not all of them: `the artist of the booking`. The model enforces it. */
  readonly onlyFor?: Access extends 'signedIn' ? string : never;
  readonly summary: string;
  readonly description: string;
  readonly params?: Params;
  readonly query?: Query;
  /** The JSON body. An endpoint without it ignores any body. */
  readonly body?: Body;
  /**
   * Whether the body may be sent as repeated query parameters instead: some proxies and clients drop the body of a
   * DELETE. All of its fields must be lists.
   */
  readonly bodyInQuery?: true;
  /** The body of the 200 response. Fields that it does not name are never sent. */
  readonly response: Reply;
  /** Whether repeating the request would take effect a second time, so that clients must not repeat it by themselves. */
  readonly isOnce?: true;
  /**
   * Whether it creates a document of the caller, once for requests with the same `Idempotency-Key` and body. The model calls
   * `createOwned`.
   */
  readonly creates?: Access extends 'signedIn' ? true : never;
  /** How long a response may be cached by the CDN and served to other callers. Public reads only. */
  readonly cacheSeconds?: Setting<number>;
  /**
   * Whether instances cache the response too, and read it for one request at a time: it is large, and the same for everybody.
   */
  readonly isReadForAll?: true;
  /** How long a request may take, where that is longer than `DEADLINE_SECONDS`. */
  readonly deadlineSeconds?: number;
  /** How many requests a user may send in a minute, if not `USER_REQUESTS_PER_MINUTE`, which turns this off too if it is 0. */
  readonly requestsPerMinute?: Access extends 'signedIn' ? number : never;
  /** Whether `MIN_INSTANCES` of its function always run: callers wait for it, and it is called often. */
  readonly isWarm?: true;
  /**
   * Errors with a meaning specific to this endpoint. `tools/generate/errorResponses.ts` adds those that follow from the
   * rest of the declaration, such as 401 where the caller is signed in.
   */
  readonly errors: Partial<Record<ErrorCode, string>>;
  /**
   * A request and a possible response, for the OpenAPI document, the request collection and the tests. It works with the
   * demo data (`npm start`). Every deployed endpoint must have one.
   */
  readonly example?: {
    readonly params?: z.input<Params>;
    readonly query?: z.input<Query>;
    readonly body?: z.input<Body>;
    readonly response: z.input<Reply>;
  };
}

/** An example request and a possible response of any endpoint. */
export type Example = NonNullable<Declaration['example']>;

/** A validated request, as the handler gets it. */
export interface Input<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Access extends AnyAccess,
> {
  /** Present if the endpoint requires callers to be signed in. */
  readonly caller: Access extends 'signedIn' ? Caller : undefined;
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

/** A validated request of any endpoint. */
export type AnyInput = Input<z.ZodObject, z.ZodObject, z.ZodObject, AnyAccess>;

/** What a handler returns: the body of the 200 response, or the parts of a long list. */
export type Output<Reply extends z.ZodType> =
  Promise<z.output<Reply>> | AsyncIterable<z.output<Reply>>;

/** A Cloud Function with its declaration. */
export type Endpoint = HttpsFunction & { readonly declaration: Declaration };

/** The methods that an endpoint accepts besides OPTIONS: HEAD wherever GET is. */
export function methodsOf({ method }: Pick<Declaration, 'method'>): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** Whether an endpoint changes stored documents. */
export function isWrite({ method }: Pick<Declaration, 'method'>): boolean {
  return method !== 'GET';
}
