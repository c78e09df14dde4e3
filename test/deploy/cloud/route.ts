/** A request to a Google API. */
export interface Call {
  /** The resource in Google's words: `projects/P/databases/(default)`. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** One method of a Google API. */
export interface Route {
  /** `GET firestore.googleapis.com/v1/projects/…/databases` */
  readonly kind: string;
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

/** Defines a route by method and address: `*` is one segment of the path, `**` several. The reply is sent as JSON. */
export function route(kind: string, reply: (call: Call) => object): Route {
  const pattern = kind
    .replace(/[.+?^$()|[\]\\{}]/g, String.raw`\$&`)
    .replace(/\*+/g, (stars) => (stars === '*' ? '[^/:]+' : '[^:]+'));
  return { kind, pattern: new RegExp(`^${pattern}$`), reply };
}

/** A resource in Google's words: the path without the version of the API and without a method. */
export function nameOf(path: string): string {
  return path.replace(/^\/(v\d\w*\/)?/, '').replace(/:\w+$/, '');
}

/** The parsed JSON body of a call. */
export function jsonOf({ body }: Call): unknown {
  return JSON.parse(body.toString('utf8'));
}

/** The stored resource, which must exist. */
export function found<Value>(stored: ReadonlyMap<string, Value>, name: string): Value {
  const value = stored.get(name);
  if (value === undefined) throw new Failure(404, 'NOT_FOUND', `${name} does not exist.`);
  return value;
}
