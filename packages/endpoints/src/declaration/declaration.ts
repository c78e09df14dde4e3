import type { HttpsFunction } from 'firebase-functions/https';
import * as z from 'zod';
import type { DeployParameter } from './defineParameter.ts';
import type { ErrorCode } from './errors.ts';

/** An empty object schema: the default for path parameters, query and body. */
export const emptySchema = z.object({});
export type EmptySchema = typeof emptySchema;

/** `public` needs no token; `signedIn` requires a valid Firebase ID token. */
export type AccessLevel = 'public' | 'signedIn';

/** The signed-in user, from a verified Firebase ID token. */
export interface Caller {
  readonly uid: string;
}

/** The single source of an endpoint's route, validation, types, documentation and function. */
export interface EndpointDeclaration<
  ParamsSchema extends z.ZodObject = z.ZodObject,
  QuerySchema extends z.ZodObject = z.ZodObject,
  BodySchema extends z.ZodObject = z.ZodObject,
  ResponseSchema extends z.ZodType = z.ZodType,
  Access extends AccessLevel = AccessLevel,
  CreatesDocument extends true | undefined = true | undefined,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base URL; `{name}` is a path parameter. */
  readonly path: `/${string}`;
  readonly access: Access;
  /**
   * The signed-in users who may call the endpoint, in words for the documentation: `the artist of the booking`.
   * The model enforces it.
   */
  readonly onlyFor?: Access extends 'signedIn' ? string : never;
  readonly summary: string;
  readonly description: string;
  readonly params?: ParamsSchema;
  readonly query?: QuerySchema;
  /** The JSON body. An endpoint without it ignores any body. */
  readonly body?: BodySchema;
  /**
   * True if the body may be sent as repeated query parameters instead: some proxies and clients drop the body of a
   * DELETE. All of its fields must be lists.
   */
  readonly allowBodyInQuery?: true;
  /**
   * The body of the 200 response. Undeclared fields are never sent. Default: `Success`; the handler then returns nothing.
   */
  readonly response?: ResponseSchema;
  /**
   * `false` if repeating the request has a second effect. Clients then retry it only after failures that prove that
   * nothing was done.
   */
  readonly idempotent?: false;
  /**
   * True if the endpoint creates a document owned by the caller. The handler then receives `newDocumentId`,
   * and the model passes it to `createOwned`. Requests with the same `Idempotency-Key` and body
   * receive the same ID, and so create one document.
   */
  readonly createsDocument?: Access extends 'signedIn' ? CreatesDocument : never;
  /** Maximum age of a response in the CDN's cache, in seconds. Public reads only. */
  readonly cacheSeconds?: DeployParameter<number>;
  /**
   * Coalesces reads: concurrent requests share one read, and each instance caches its result for
   * `cacheSeconds`. For large responses that are identical for all clients.
   */
  readonly coalesceReads?: true;
  /** The deadline of a request, in seconds from its start. Only a value above `DEADLINE_SECONDS` has an effect. */
  readonly deadlineSeconds?: number;
  /**
   * Limits the number of requests that an instance serves at a time. The lower of this and `CONCURRENCY` holds. Use it for
   * endpoints whose requests take much memory.
   */
  readonly concurrency?: number;
  /** Applies `MIN_INSTANCES` to this function. Use it for endpoints that users wait for. */
  readonly keepWarm?: true;
  /**
   * Errors with a meaning specific to this endpoint. `tools/generate/errorResponses.ts` adds the errors that follow
   * from the rest of the declaration, such as 400 for invalid input, and 401 if the caller must be signed in.
   */
  readonly errors?: Partial<Record<ErrorCode, string>>;
  /**
   * A request and a possible response, for the OpenAPI document, which requires one, and the tests. It works with the
   * demo data (`npm start`).
   */
  readonly example?: {
    readonly params?: z.input<ParamsSchema>;
    readonly query?: z.input<QuerySchema>;
    readonly body?: z.input<BodySchema>;
    /** Default: the body of `Success`, if the endpoint declares no response. */
    readonly response?: z.input<ResponseSchema>;
  };
}

/** An example request and a possible response of any endpoint. */
export type EndpointExample = NonNullable<EndpointDeclaration['example']>;

/** A validated request, which the handler receives. */
export interface HandlerInput<
  ParamsSchema extends z.ZodObject,
  QuerySchema extends z.ZodObject,
  BodySchema extends z.ZodObject,
  Access extends AccessLevel,
  CreatesDocument extends true | undefined,
> {
  /** Present if the endpoint requires callers to be signed in. */
  readonly caller: Access extends 'signedIn' ? Caller : undefined;
  readonly params: z.output<ParamsSchema>;
  readonly query: z.output<QuerySchema>;
  readonly body: z.output<BodySchema>;
  /** The ID for the document to create; present if the declaration says `createsDocument: true`. */
  readonly newDocumentId: CreatesDocument extends true
    ? string
    : CreatesDocumentNotDeclared | undefined;
}

/** A type without values. Its name explains the compiler's error where a handler without `createsDocument: true` uses `newDocumentId`. */
export interface CreatesDocumentNotDeclared {
  readonly 'Declare createsDocument: true in the endpoint.': never;
}

/** A validated request of any endpoint. */
export type AnyHandlerInput = HandlerInput<
  z.ZodObject,
  z.ZodObject,
  z.ZodObject,
  AccessLevel,
  true | undefined
>;

/** The result of a handler: the body of the 200 response, or the batches of a long list. */
export type HandlerOutput<ResponseSchema extends z.ZodType> =
  Promise<z.output<ResponseSchema>> | AsyncIterable<z.output<ResponseSchema>>;

/** A declaration with its defaults. */
export type CompleteDeclaration = EndpointDeclaration &
  Required<Pick<EndpointDeclaration, 'response' | 'errors'>>;

/** A Cloud Function with its declaration. */
export type Endpoint = HttpsFunction & { readonly declaration: CompleteDeclaration };

/** Returns whether an export of a service is an endpoint. Other functions have no declaration. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'function' && 'declaration' in value;
}

/** Lists the methods that an endpoint allows, without OPTIONS. A GET endpoint also allows HEAD. */
export function listAllowedMethods({
  method,
}: Pick<EndpointDeclaration, 'method'>): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** Returns whether an endpoint changes stored documents. */
export function isWrite({ method }: Pick<EndpointDeclaration, 'method'>): boolean {
  return method !== 'GET';
}
