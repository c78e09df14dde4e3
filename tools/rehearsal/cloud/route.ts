/** A request to a Google API. */
export interface Call {
  /** The resource in Google's words: `projects/P/databases/(default)`. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** One method of a Google API. */
export interface Route {
  /** Matches `GET firestore.googleapis.com/v1/projects/P/databases`. */
  readonly pattern: RegExp;
  readonly reply: (call: Call) => object;
}

/** Google's error response. */
export class Failure extends Error {
  readonly code: number;
  readonly status: string;

  constructor(code: number, status: string, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Defines a route by method and address, in which `*` is one segment of the path. The reply is sent as JSON. */
export function route(kind: string, reply: (call: Call) => object): Route {
  const pattern = kind
    .replace(/[.+?^$()|[\]\\{}]/g, String.raw`\$&`)
    .replaceAll('*', () => '[^/:]+');
  return { pattern: new RegExp(`^${pattern}$`), reply };
}

/**
 * A resource in Google's words: the path without the version of the API and without a method. Those of Hosting have two
 * names, with and without the project.
 */
export function nameOf(path: string): string {
  return path
    .replace(/^\/(v\d\w*\/)?/, '')
    .replace(/:\w+$/, '')
    .replace(/^projects\/[^/]+\/(?=sites(\/|$))/, '');
}

/** The parsed JSON body of a call; without one, an empty object. */
export function jsonOf({ body }: Call): object {
  return JSON.parse(body.toString('utf8') || '{}') as object;
}
