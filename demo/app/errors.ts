import type { ErrorCode, MarketplaceError } from '@tattoo-marketplace/client';

/** Messages for errors of the API and of Firebase Auth, by code. */
export type ErrorMessages = Partial<Record<ErrorCode, string>>;

const UNREACHABLE = 'The service cannot be reached. Please check your connection.';
const SESSION_ENDED = 'Your session has ended. Please sign in again.';

/** The general messages. */
const ERROR_MESSAGES: ErrorMessages = {
  'invalid-argument': 'This was not accepted. Please check what you entered.',
  'permission-denied': 'This belongs to somebody else.',
  'not-found': 'This is no longer there.',
  'cursor-not-found': 'The list has changed meanwhile. It starts again from its first page.',
  'resource-exhausted': 'That was a lot at once. Please wait a moment.',
  unavailable: 'The service is busy. Please try again in a moment.',
  'outcome-unknown': 'The service could not confirm this.',
  'no-response': UNREACHABLE,
  'no-token': 'Your session could not be confirmed. Please check your connection.',
  'user-changed': 'Somebody else has signed in meanwhile, so this was not done.',
  'auth/network-request-failed': UNREACHABLE,
  'auth/user-not-found': 'This account no longer exists.',
  'auth/user-token-expired': SESSION_ENDED,
};

/** The messages for changes of the artist's own lists. A request changes all of its documents or none. */
export const STALE_LIST_MESSAGES: ErrorMessages = {
  'not-found': 'Some of these are no longer there. Please reload the page.',
};

/** Returns the fields of an error of the API. Errors of Firebase Auth have a `code` too. */
export const errorDetails = (error: unknown) => error as Partial<MarketplaceError>;

/** Describes an error to the signed-in user, or a visitor. The messages of the action override the general ones. */
export function describeError(error: unknown, user: unknown, messages: ErrorMessages = {}) {
  const { status, code = '', retryAfter, mayHaveSucceeded, requestId } = errorDetails(error);
  const unauthenticated = user ? SESSION_ENDED : 'Please sign in.';
  const known: ErrorMessages = { ...ERROR_MESSAGES, unauthenticated, ...messages };
  return [
    known[code] ?? 'That did not work. Please try again later.',
    retryAfter && `(${Math.ceil(retryAfter)} s)`,
    mayHaveSucceeded && 'It may have been carried out all the same.',
    status === 500 && requestId && `If you ask for help, quote ${requestId}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
