/** The codes of refusals: their HTTP status, and their number in gRPC. */
const CODES = {
  INVALID_ARGUMENT: [400, 3],
  NOT_FOUND: [404, 5],
  ALREADY_EXISTS: [409, 6],
  PERMISSION_DENIED: [403, 7],
  FAILED_PRECONDITION: [400, 9],
  ABORTED: [409, 10],
  UNIMPLEMENTED: [501, 12],
  INTERNAL: [500, 13],
} as const;

/** A refused request. */
export class Refusal extends Error {
  readonly status: number;
  /** Its form in a list of results, and in gRPC. */
  readonly rpcStatus: { readonly code: number; readonly message: string };
  /** The body of the response. */
  readonly body: object;

  constructor(name: keyof typeof CODES, message: string) {
    super(message);
    const [status, code] = CODES[name];
    this.status = status;
    this.rpcStatus = { code, message };
    this.body = { error: { code: status, message, status: name } };
  }
}

/** A request that Google's service refuses too. */
export function invalid(message: string): Refusal {
  return new Refusal('INVALID_ARGUMENT', message);
}

/** A request that may be valid for Google's service. */
export function unimplemented(what: string): Refusal {
  return new Refusal(
    'UNIMPLEMENTED',
    `The embedded Firestore does not support ${what}. Google’s own emulator has it.`,
  );
}

/**
 * The refusal of a request to any host but this machine; undefined for one to it. A web page whose host name leads here
 * (DNS rebinding) could otherwise read and write everything.
 */
export function foreignHost(host = ''): Refusal | undefined {
  if (/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)) return undefined;
  return new Refusal(
    'PERMISSION_DENIED',
    `No host of the embedded Firestore: ${host}. Use localhost.`,
  );
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

/** A name of an enumeration that was sent by its name or its number: Google's libraries send either. */
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
