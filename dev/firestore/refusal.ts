/** The codes of refusals: their HTTP status (https://cloud.google.com/apis/design/errors), and their number in gRPC. */
const CODES = {
  INVALID_ARGUMENT: { http: 400, grpc: 3 },
  NOT_FOUND: { http: 404, grpc: 5 },
  ALREADY_EXISTS: { http: 409, grpc: 6 },
  PERMISSION_DENIED: { http: 403, grpc: 7 },
  FAILED_PRECONDITION: { http: 400, grpc: 9 },
  ABORTED: { http: 409, grpc: 10 },
  UNIMPLEMENTED: { http: 501, grpc: 12 },
  INTERNAL: { http: 500, grpc: 13 },
} as const;

/**
 * The number in the body of an error. The Admin SDK derives its own code from nothing else: it reads 409 as `ABORTED`,
 * which it sends again for minutes, and 412 as `FAILED_PRECONDITION`.
 */
const BODY_CODES: Readonly<Partial<Record<keyof typeof CODES, number>>> = {
  ALREADY_EXISTS: 412,
  FAILED_PRECONDITION: 412,
};

/** What to do if a feature is missing here. */
const WAY_OUT =
  'Google’s own emulator has it: start the stack with npm start -- --official-firestore.';

/** A refused request. */
export class Refusal extends Error {
  readonly code: keyof typeof CODES;

  constructor(code: keyof typeof CODES, message: string) {
    super(message);
    this.code = code;
  }

  /** The status of the HTTP response. */
  get status(): number {
    return CODES[this.code].http;
  }

  /** The body of the HTTP response. */
  toJSON(): object {
    const { code, message, status } = this;
    return { error: { code: BODY_CODES[code] ?? status, message, status: code } };
  }

  /** The status in a list of results. */
  get rpcStatus(): { readonly code: number; readonly message: string } {
    return { code: CODES[this.code].grpc, message: this.message };
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
    `The embedded Firestore does not support ${what}. ${WAY_OUT}`,
  );
}

/** The members of an object that are not null. Refuses unknown ones, so that nothing is silently ignored. */
export function members<Name extends string>(
  json: unknown,
  ...known: readonly Name[]
): Partial<Record<Name, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalid(`Expected an object with ${known.join()}.`);
  }
  const present = Object.entries(json).filter(([, member]) => member !== null);
  const unknown = present.find(([name]) => !known.some((each) => each === name));
  if (unknown) throw unimplemented(`${unknown[0]} beside ${known.join()}`);
  return Object.fromEntries(present) as Partial<Record<Name, unknown>>;
}

/** The elements of a list; none if it is missing. */
export function elements(json: unknown = []): readonly unknown[] {
  if (!Array.isArray(json)) throw invalid('Expected a list.');
  return json as unknown[];
}

/** The name of an enumeration that was sent by its name or its number: Google's libraries send either. */
export function oneOf<Name extends string>(
  names: Readonly<Record<Name, number>>,
  sent: unknown,
): Name {
  if (sent === undefined) throw invalid('An operator is missing.');
  const name = (Object.keys(names) as Name[]).find((each) => each === sent || names[each] === sent);
  if (name === undefined) throw unimplemented(`the operator ${JSON.stringify(sent)}`);
  return name;
}
