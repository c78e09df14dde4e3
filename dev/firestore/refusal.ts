/** The codes of refusals, and their HTTP status (https://cloud.google.com/apis/design/errors). */
const STATUSES = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  INTERNAL: 500,
  UNIMPLEMENTED: 501,
} as const;

/** What to do if a feature is missing here. */
export const WAY_OUT =
  'Google’s own emulator has it: start the stack with npm start -- --official-firestore.';

/** A refused request. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: keyof typeof STATUSES;

  constructor(code: keyof typeof STATUSES, message: string) {
    super(message);
    this.code = code;
    this.status = STATUSES[code];
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
