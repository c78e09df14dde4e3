import { decoded } from './path.ts';

/** A request target in its parts, both still percent-encoded. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/**
 * The parts of a request target (RFC 9112, section 3.2). `URL` is not used: it resolves `..` and `%2e%2e`,
 * and so would take an odd id for another path.
 */
export function requestTarget(url: string): RequestTarget {
  const local = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : local.slice(mark + 1) };
}

/** Query parameters by name: a text, or all of them in the order sent where a name is repeated. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

/** Reads a query (`application/x-www-form-urlencoded`); throws `invalid-argument` where an escape is malformed. */
export function queryParameters(query: string): QueryParameters {
  decoded(query, 'query');
  const parameters = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = parameters.get(name);
    if (earlier === undefined) parameters.set(name, value);
    else if (typeof earlier === 'string') parameters.set(name, [earlier, value]);
    else earlier.push(value);
  }
  // fromEntries defines its properties, so a parameter named __proto__ stays a parameter.
  return Object.fromEntries(parameters);
}
