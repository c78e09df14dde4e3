import { HttpsError } from 'firebase-functions/https';

/**
 * Splits a request target (RFC 9112, section 3.2); the parts stay percent-encoded. `URL` is not used: it resolves `..` and
 * `%2e%2e`, so that an id could lead to another path.
 */
export function requestTarget(url: string): { readonly path: string; readonly query: string } {
  const local = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : local.slice(mark + 1) };
}

/** The emulators read rewrites only when they start. */
const NO_ENDPOINT = `There is no endpoint at this path.${
  process.env.FUNCTIONS_EMULATOR === 'true' ? ' If it is new, run npm start again.' : ''
}`;

/**
 * Thrown if the path does not match. Hosting sends requests for unknown paths to an arbitrary
 * function.
 */
export class NoEndpointError extends HttpsError {
  constructor() {
    super('not-found', NO_ENDPOINT);
  }
}

/** Percent-decoded path parameters by name. */
export type PathParameters = Readonly<Record<string, string>>;

/**
 * Returns the parameters of a path. Throws `NoEndpointError` if the path does not match, `invalid-argument` if it does not
 * decode.
 */
export type PathReader = (path: string) => PathParameters;

/**
 * The paths of a template such as `/flash/artist/{id}/paginated`. A path may start with `/api`, as Hosting sends it. A
 * template without parameters also matches `/`, for calls to the function's own URL.
 */
export function pathPattern(template: string): RegExp {
  const source = template.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(template.includes('{') ? `^(?:/api)?${source}$` : `^((/api)?${source}|/)$`);
}

/** Makes the reader for a path template. */
export function pathReader(template: string): PathReader {
  const pattern = pathPattern(template);
  return (path) => {
    const found = pattern.exec(path);
    if (found === null) throw new NoEndpointError();
    const sent = Object.entries(found.groups ?? {});
    return Object.fromEntries(
      sent.map(([name, value]) => [name, decoded(value) ?? malformed('path')]),
    );
  };
}

/** Query parameters by name. The values of a repeated parameter are a list, in the order sent. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Parses the query parameters with these names (`application/x-www-form-urlencoded`). Ignores all
 * others, even malformed ones. Throws `invalid-argument` for a malformed percent-escape in a value.
 */
export function queryParameters(query: string, names: ReadonlySet<string>): QueryParameters {
  const parameters = new Map<string, string[]>();
  for (const part of query.replaceAll('+', ' ').split('&')) {
    const mark = part.includes('=') ? part.indexOf('=') : part.length;
    const name = decoded(part.slice(0, mark));
    if (name === undefined || !names.has(name)) continue;
    const values = parameters.get(name) ?? [];
    values.push(decoded(part.slice(mark + 1)) ?? malformed('query'));
    parameters.set(name, values);
  }
  return Object.fromEntries(
    [...parameters].map(([name, values]) => [name, values.length > 1 ? values : values.join()]),
  );
}

/** Decodes percent-escapes; undefined if they are malformed. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function malformed(where: 'path' | 'query'): never {
  throw new HttpsError('invalid-argument', `The ${where} has a malformed percent-escape.`);
}
