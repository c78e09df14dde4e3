/** A request to a Google API. */
export interface Call {
  /** The path parameters by name. */
  readonly names: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** A response; an object is sent as JSON. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** One method of a Google API. */
export interface Route {
  readonly method: string;
  readonly host: string;
  /** The path as in Google's API reference: `/v1/projects/{project}/databases`. */
  readonly template: string;
  readonly path: RegExp;
  readonly reply: (call: Call) => Reply | Promise<Reply>;
}

/**
 * Defines a route; its first word is the HTTP method. `{name}` matches one segment of the path, `{name=**}` several.
 */
export function route(address: string, reply: (call: Call) => Reply | Promise<Reply>): Route {
  const [, method = '', host = '', template = ''] = /^([A-Z]+) ([^/]+)(\/.*)$/.exec(address) ?? [];
  const path = template
    .replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replace(/\{(\w+)(=\\\*\\\*)?\}/g, (_, name: string, deep?: string) =>
      deep === undefined ? `(?<${name}>[^/:]+)` : `(?<${name}>[^:]+)`,
    );
  return { method, host, template, path: new RegExp(`^${path}$`), reply };
}

/** The parsed JSON body of a call. */
export function jsonOf(call: Call): unknown {
  return JSON.parse(call.body.toString('utf8'));
}

/** A response with Google's error format. */
export function failure(code: number, status: string, message: string): Reply {
  return { status: code, body: { error: { code, status, message } } };
}
