/** A request to one of Google's interfaces. */
export interface Call {
  /** The variable parts of the path, by their names in the route. */
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

/** One method of one of Google's interfaces. */
export interface Route {
  readonly method: string;
  readonly host: string;
  /** As Google's own documents write it: `/v1/projects/{project}/databases`. */
  readonly template: string;
  readonly path: RegExp;
  readonly reply: (call: Call) => Reply | Promise<Reply>;
}

/**
 * A route; its first word is the HTTP method. `{name}` stands for one segment of the path, `{name=**}` for several.
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

/** The body of a call as JSON. */
export function jsonOf(call: Call): unknown {
  return JSON.parse(call.body.toString('utf8'));
}

/** Google's form of an error. */
export function failure(code: number, status: string, message: string): Reply {
  return { status: code, body: { error: { code, status, message } } };
}
