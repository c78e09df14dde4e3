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

/** Percent-decoded path parameters by name. */
export type PathParameters = Readonly<Record<string, string>>;

/**
 * Returns the parameters of a path. Throws `not-found` if the path does not match, `invalid-argument` if it does not
 * decode.
 */
export type PathReader = (path: string) => PathParameters;

/**
 * Makes the reader for a path template such as `/flash/artist/{id}/paginated`. The path may start with `/api`, as
 * Hosting sends it. A template without parameters also matches `/`, for calls to the function's own URL.
 */
export function pathReader(template: string): PathReader {
  const source = template.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const pattern = new RegExp(`^(?:/api)?${source}$`);
  const hasParameters = template.includes('{');
  return (path) => {
    if (path === '/' && !hasParameters) return {};
    const found = pattern.exec(path);
    if (found === null) throw new HttpsError('not-found', NO_ENDPOINT);
    const sent = Object.entries(found.groups ?? {});
    return Object.fromEntries(sent.map(([name, value]) => [name, decoded(value)]));
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpsError('invalid-argument', 'The path has a malformed percent-escape.');
  }
}

/** Query parameters by name. The values of a repeated parameter are a list, in the order sent. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

/** Parses the parameters with these names from a query, and ignores all others. */
export function queryParameters(query: string, names: ReadonlySet<string>): QueryParameters {
  const sent = new URLSearchParams(query);
  const known = [...names]
    .filter((name) => sent.has(name))
    .map((name) => {
      const values = sent.getAll(name);
      return [name, values.length > 1 ? values : values.join()];
    });
  return Object.fromEntries(known) as QueryParameters;
}
