import type { FunctionsErrorCode, HttpsFunction } from 'firebase-functions/https';
import * as z from 'zod';
import type { Setting } from '../parameters.ts';
import type { Caller } from './authentication.ts';

/** An object schema that asks for nothing: for a request without path parameters, query or body. */
export const nothing = z.object({});
export type Nothing = typeof nothing;

/** Who may call an endpoint: anyone, or whoever sends a valid Firebase ID token. */
export type AnyAccess = 'public' | 'signedIn';

/** What an endpoint is: the one source of its route, validation, types, documentation and function. */
export interface Declaration<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Reply extends z.ZodType = z.ZodType,
  Access extends AnyAccess = AnyAccess,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base address; `{name}` stands for a path parameter. */
  readonly path: `/${string}`;
  readonly access: Access;
  readonly summary: string;
  readonly description: string;
  readonly params?: Params;
  readonly query?: Query;
  /** The JSON body; an endpoint that declares none ignores whatever body is sent. */
  readonly body?: Body;
  /**
   * Whether the fields of the body, all of them lists, may come as repeated query parameters instead: some proxies and
   * clients drop the body of a DELETE.
   */
  readonly bodyInQuery?: true;
  /** The body of the 200 response. Fields that it does not name never leave. */
  readonly response: Reply;
  /** For how long a response may be cached and given to other callers; of public reads only. */
  readonly cacheSeconds?: Setting<number>;
  /**
   * What goes wrong in this endpoint's own terms, beyond what any endpoint can answer (401, 404 for its path, 405, 429,
   * 500, 503) and any that takes a body (413, 415).
   */
  readonly errors: Partial<Record<FunctionsErrorCode, string>>;
  /**
   * What the document, the request collection and the tests show and send. It works on the demo data (`npm start`). Every
   * endpoint that is deployed has one.
   */
  readonly example?: Example<Params, Query, Body, Reply>;
}

/** An example request, and the response that it may get. */
export interface Example<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly params?: z.input<Params>;
  readonly query?: z.input<Query>;
  readonly body?: z.input<Body>;
  readonly response: z.input<Reply>;
}

/** The account of the demo data that all example requests come from, and whose documents they name. */
export const EXAMPLE_CALLER = 'artist-mara-voss';

/** A request as a handler gets it: checked and typed. */
export interface Input<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Access extends AnyAccess,
> {
  /** There where the endpoint asks callers to be signed in. */
  readonly caller: Access extends 'signedIn' ? Caller : undefined;
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

/** What a handler gives: the body of the 200 response, or the parts of it where it is a long list. */
export type Output<Reply extends z.ZodType> =
  Promise<z.input<Reply>> | AsyncIterable<z.input<Reply>>;

/** An endpoint as it is deployed: a Cloud Function that carries its own declaration. */
export type Endpoint = HttpsFunction & { readonly declaration: Declaration };

/** The methods that an endpoint answers, preflight aside: HEAD wherever GET is. */
export function methodsOf({ method }: Pick<Declaration, 'method'>): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** Whether an endpoint changes anything. */
export function writes({ method }: Pick<Declaration, 'method'>): boolean {
  return method !== 'GET';
}
