/** The HTTP statuses of refusals. */
const HTTP_STATUS_BY_CODE = {
  INVALID_ARGUMENT: 400,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  PERMISSION_DENIED: 403,
  FAILED_PRECONDITION: 400,
  ABORTED: 409,
  UNIMPLEMENTED: 501,
  INTERNAL: 500,
} as const;

/** A refused request. */
export class ApiError extends Error {
  readonly status: number;
  /** The body of the response. */
  readonly body: object;

  constructor(name: keyof typeof HTTP_STATUS_BY_CODE, message: string) {
    super(message);
    this.status = HTTP_STATUS_BY_CODE[name];
    this.body = { error: { code: this.status, message, status: name } };
  }
}

/** A request that Google's service refuses too. */
export function invalidArgumentError(message: string): ApiError {
  return new ApiError('INVALID_ARGUMENT', message);
}

/** The error for a request that Firestore may support, but this emulator does not. */
export function unimplementedError(what: string): ApiError {
  return new ApiError(
    'UNIMPLEMENTED',
    `The embedded Firestore does not support ${what}. Google’s own emulator has it.`,
  );
}

/**
 * Refuses a request to any host but this machine. A web page whose host name leads here (DNS rebinding) could otherwise
 * read and write everything.
 */
export function assertLocalHost(host = ''): void {
  if (/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)) return;
  const message = `Unknown host: ${host}. The embedded Firestore only serves localhost.`;
  throw new ApiError('PERMISSION_DENIED', message);
}

/** The members of an object. Refuses unknown ones, so that nothing is silently ignored. */
export function parseObject<Name extends string>(
  json: unknown,
  ...known: readonly Name[]
): Partial<Record<Name, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalidArgumentError(`Expected an object with ${known.join()}.`);
  }
  const unknown = Object.keys(json).find((name) => !known.some((each) => each === name));
  if (unknown !== undefined) throw unimplementedError(unknown);
  return json;
}

/** The elements of a list; none if it is missing. */
export function parseArray(json: unknown = []): readonly unknown[] {
  if (!Array.isArray(json)) throw invalidArgumentError('Expected a list.');
  return json as unknown[];
}

/** Parses an enum value. Google's libraries send either its name or its number. */
export function parseEnum<Name extends string>(
  table: Readonly<Record<Name, unknown>>,
  sent: unknown,
  firstNumber = 1,
): Name {
  const names = Object.keys(table) as Name[];
  const name = names.find((each, index) => each === sent || index + firstNumber === sent);
  if (name === undefined) throw unimplementedError(`the operator ${JSON.stringify(sent)}`);
  return name;
}
