/** The HTTP statuses of refusals. */
const CODES = {
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
export class Refusal extends Error {
  readonly status: number;
  /** The body of the response. */
  readonly body: object;

  constructor(name: keyof typeof CODES, message: string) {
    super(message);
    this.status = CODES[name];
    this.body = { error: { code: this.status, message, status: name } };
  }
}

/** A request that Google's service refuses too. */
export function invalid(message: string): Refusal {
  return new Refusal('INVALID_ARGUMENT', message);
}

/** The error for a request that Firestore may support, but this emulator does not. */
export function unimplemented(what: string): Refusal {
  return new Refusal(
    'UNIMPLEMENTED',
    `The embedded Firestore does not support ${what}. Google’s own emulator has it.`,
  );
}

/**
 * Refuses a request to any host but this machine. A web page whose host name leads here (DNS rebinding) could otherwise
 * read and write everything.
 */
export function requireLocal(host = ''): void {
  if (/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)) return;
  const message = `Unknown host: ${host}. The embedded Firestore only serves localhost.`;
  throw new Refusal('PERMISSION_DENIED', message);
}

/** The members of an object. Refuses unknown ones, so that nothing is silently ignored. */
export function members<Name extends string>(
  json: unknown,
  ...known: readonly Name[]
): Partial<Record<Name, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalid(`Expected an object with ${known.join()}.`);
  }
  const unknown = Object.keys(json).find((name) => !known.some((each) => each === name));
  if (unknown !== undefined) throw unimplemented(unknown);
  return json;
}

/** The elements of a list; none if it is missing. */
export function elements(json: unknown = []): readonly unknown[] {
  if (!Array.isArray(json)) throw invalid('Expected a list.');
  return json as unknown[];
}

/** Parses an enum value. Google's libraries send either its name or its number. */
export function oneOf<Name extends string>(
  table: Readonly<Record<Name, unknown>>,
  sent: unknown,
  firstNumber = 1,
): Name {
  const names = Object.keys(table) as Name[];
  const name = names.find((each, index) => each === sent || index + firstNumber === sent);
  if (name === undefined) throw unimplemented(`the operator ${JSON.stringify(sent)}`);
  return name;
}
