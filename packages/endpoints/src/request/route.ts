import { HttpsError } from 'firebase-functions/https';

/**
 * Splits a request target (RFC 9112, section 3.2); the parts stay percent-encoded. `URL` is not used: it resolves `..` and
 * `%2e%2e`, so that an id could lead to another path.
 */
export function parseRequestTarget(url: string): { readonly path: string; readonly query: string } {
  const withoutOrigin = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const separator = withoutOrigin.indexOf('?');
  const path = separator < 0 ? withoutOrigin : withoutOrigin.slice(0, separator);
  return {
    path: path === '' ? '/' : path,
    query: separator < 0 ? '' : withoutOrigin.slice(separator + 1),
  };
}

/** The emulators read rewrites only when they start. */
const ROUTE_NOT_FOUND = `There is no endpoint at this path.${
  process.env.FUNCTIONS_EMULATOR === 'true' ? ' If it is new, run npm start again.' : ''
}`;

/**
 * Thrown if the path does not match. Hosting sends requests for unknown paths to an arbitrary
 * function.
 */
export class RouteNotFoundError extends HttpsError {
  constructor() {
    super('not-found', ROUTE_NOT_FOUND);
  }
}

/** Percent-decoded path parameters by name. */
export type PathParams = Readonly<Record<string, string>>;

/**
 * Returns the parameters of a path. Throws `RouteNotFoundError` if the path does not match, `invalid-argument` if it does not
 * decode.
 */
export type PathMatcher = (path: string) => PathParams;

/**
 * The paths of a template such as `/flash/artist/{id}/paginated`. A path may start with `/api`, as Hosting sends it. A
 * template without parameters also matches `/`, for calls to the function's own URL.
 */
export function compilePath(template: string): RegExp {
  const source = template.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(template.includes('{') ? `^(?:/api)?${source}$` : `^((/api)?${source}|/)$`);
}

/** Makes the reader for a path template. */
export function createPathMatcher(template: string): PathMatcher {
  const pattern = compilePath(template);
  return (path) => {
    const found = pattern.exec(path);
    if (found === null) throw new RouteNotFoundError();
    const sent = Object.entries(found.groups ?? {});
    return Object.fromEntries(
      sent.map(([name, value]) => [name, tryDecode(value) ?? throwMalformedEscape('path')]),
    );
  };
}

/** Query parameters by name. The values of a repeated parameter are a list, in the order sent. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Parses the query parameters with these names (`application/x-www-form-urlencoded`). Ignores all
 * others, even malformed ones. Throws `invalid-argument` for a malformed percent-escape in a value.
 */
export function parseQuery(query: string, names: ReadonlySet<string>): QueryParameters {
  const parameters = new Map<string, string[]>();
  for (const part of query.replaceAll('+', ' ').split('&')) {
    const separator = part.includes('=') ? part.indexOf('=') : part.length;
    const name = tryDecode(part.slice(0, separator));
    if (name === undefined || !names.has(name)) continue;
    const values = parameters.get(name) ?? [];
    values.push(tryDecode(part.slice(separator + 1)) ?? throwMalformedEscape('query'));
    parameters.set(name, values);
  }
  return Object.fromEntries(
    [...parameters].map(([name, values]) => [name, values.length > 1 ? values : values.join()]),
  );
}

/** Decodes percent-escapes; undefined if they are malformed. */
function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function throwMalformedEscape(where: 'path' | 'query'): never {
  throw new HttpsError('invalid-argument', `The ${where} has a malformed percent-escape.`);
}
