import { ServiceError } from '../declaration/errors.ts';
import { isFunctionsEmulator } from '../runtime/environment.ts';
import { decode } from './percentEncoding.ts';

/** The path and the query of a request, still percent-encoded. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/**
 * Splits a request target (RFC 9112, section 3.2). `URL` is not used: it resolves `..` and
 * `%2e%2e`, so that an ID could lead to another path.
 */
export function parseRequestTarget(url: string): RequestTarget {
  const withoutOrigin = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const separator = withoutOrigin.indexOf('?');
  const path = separator < 0 ? withoutOrigin : withoutOrigin.slice(0, separator);
  return {
    path: path === '' ? '/' : path,
    query: separator < 0 ? '' : withoutOrigin.slice(separator + 1),
  };
}

/** Path parameters by name, still percent-encoded. */
export type EncodedParams = Readonly<Record<string, string>>;

/**
 * Compiles a template such as `/flash/artist/{id}/paginated` to a pattern of its paths. A path may
 * start with `/api`, as Hosting sends it. A template without parameters also matches `/`, for calls
 * to the function's own URL.
 */
function compilePath(template: string): RegExp {
  const source = template.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(template.includes('{') ? `^(?:/api)?${source}$` : `^((/api)?${source}|/)$`);
}

/** Creates a function that returns the parameters of a path; undefined if the path does not match the template. */
export function createPathMatcher(template: string): (path: string) => EncodedParams | undefined {
  const pattern = compilePath(template);
  return (path) => {
    const match = pattern.exec(path);
    return match ? { ...match.groups } : undefined;
  };
}

/** Hosting has rewrites only for the paths in firebase.json. */
const HINT = isFunctionsEmulator() ? ' If it is new, run npm run generate.' : '';
const ROUTE_NOT_FOUND = `There is no endpoint at this path.${HINT}`;

/** Creates the error for a path that belongs to no endpoint. */
export function routeNotFoundError(): ServiceError {
  return new ServiceError('not-found', ROUTE_NOT_FOUND);
}

/**
 * Decodes the parameters of a path. Throws `not-found` if the path did not match, and `invalid-argument` for a malformed
 * percent-escape.
 */
export function decodePathParams(
  encodedParams: EncodedParams | undefined,
): Readonly<Record<string, string>> {
  if (encodedParams === undefined) throw routeNotFoundError();
  const encoded = Object.entries(encodedParams);
  return Object.fromEntries(encoded.map(([name, value]) => [name, decode(value, 'path')]));
}
