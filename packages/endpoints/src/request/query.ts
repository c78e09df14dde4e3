import { decode, tryDecode } from './percentEncoding.ts';

/** Query parameters by name. A repeated parameter has a list of values, in their order in the query. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Parses the query parameters with these names (`application/x-www-form-urlencoded`). Ignores all
 * other parameters, even malformed ones. Throws `invalid-argument` for a malformed percent-escape in a value.
 */
export function parseQueryParameters(query: string, names: ReadonlySet<string>): QueryParameters {
  const parameters = new Map<string, string[]>();
  for (const pair of query.replaceAll('+', ' ').split('&')) {
    const separator = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const name = tryDecode(pair.slice(0, separator));
    if (name === undefined || !names.has(name)) continue;
    const values = parameters.get(name) ?? [];
    values.push(decode(pair.slice(separator + 1), 'query'));
    parameters.set(name, values);
  }
  return Object.fromEntries(
    [...parameters].map(([name, values]) => [name, values.length > 1 ? values : values.join()]),
  );
}
