import type { ErrorCode, MarketplaceError } from '@tattoo-marketplace/client';
import errorMessages from './errorMessages.json' with { type: 'json' };
import { auth } from './session.ts';

/** Messages for errors of the API and of Firebase Auth, by code. */
export type ErrorMessages = Partial<Record<ErrorCode, string>>;

/** The messages for changes of the artist's own lists. A request changes all of its documents or none. */
export const STALE_LIST_MESSAGES: ErrorMessages = {
  'not-found': 'Some of these are no longer there. Please reload the page.',
};

/** Returns the fields of an error of the API. Errors of Firebase Auth have a `code` too. */
export const errorDetails = (error: unknown) => error as Partial<MarketplaceError>;

/** Describes an error to a user. The messages of the action override the general ones. */
export function describeError(error: unknown, messages: ErrorMessages = {}): string {
  const { status, code = '', retryAfter, mayHaveSucceeded, requestId } = errorDetails(error);
  const unauthenticated = auth.currentUser
    ? errorMessages['auth/user-token-expired']
    : 'Please sign in.';
  const known: ErrorMessages = { ...errorMessages, unauthenticated, ...messages };
  return [
    known[code] ?? 'That did not work. Please try again later.',
    retryAfter && `(${Math.ceil(retryAfter)} s)`,
    mayHaveSucceeded && 'It may have been carried out all the same.',
    status === 500 && requestId && `If you ask for help, quote ${requestId}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
