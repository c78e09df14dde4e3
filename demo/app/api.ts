/** The API client, the session and the world of the demo, shared by all views. */
import {
  createMarketplaceClient,
  firebaseToken,
  type ErrorCode,
  type MarketplaceError,
  type Pages,
  type User,
} from '@tattoo-marketplace/client';
import { initializeApp } from 'firebase/app';
import {
  browserLocalPersistence,
  connectAuthEmulator,
  initializeAuth,
  signOut,
} from 'firebase/auth';
import type { Account, DemoData } from './demoData.ts';
import { focused, quiet } from './dom.ts';
import { notify } from './notice.ts';

/** What a view gets: a signal that aborts when the user leaves it. */
export interface ViewOptions {
  readonly signal: AbortSignal;
}

const settings = await fetch('/demo/local.json');
export const demo = (await settings.json()) as DemoData;

export const auth = initializeAuth(initializeApp({ apiKey: 'demo' }), {
  persistence: browserLocalPersistence,
});
connectAuthEmulator(auth, `http://${demo.authEmulator}`, { disableWarnings: true });

export const api = createMarketplaceClient({ baseUrl: '/api', token: firebaseToken(auth) });

/** The signed-in user, with what the API has no list of: schedule, time off, bookings and conversations of the demo data. */
export function account(): Account | undefined {
  const found = demo.accounts.find(({ uid }) => uid === auth.currentUser?.uid);
  return found && { ...found, ...changesOf(found) };
}

/** The same in a view for which the user has signed in. */
export function ownDemo(): Account {
  const own = account();
  if (own === undefined) throw new Error('Nobody is signed in.');
  return own;
}

/** Keeps changes of the account in this tab. */
export function remember(changes: Partial<Account>): void {
  const own = ownDemo();
  sessionStorage.setItem(own.uid, JSON.stringify({ ...changesOf(own), ...changes }));
}

function changesOf({ uid }: Account): Partial<Account> {
  return JSON.parse(sessionStorage.getItem(uid) ?? '{}') as Partial<Account>;
}

let artists: Promise<readonly User[]> | undefined;

/** The verified artists, read once for all views. */
export function verifiedArtists(): Promise<readonly User[]> {
  artists ??= api.artists.list().catch((error: unknown) => {
    artists = undefined;
    throw error;
  });
  return artists;
}

/** The name to show for a user. */
export function nameOf(user: Partial<User>): string {
  const { displayName, firstName, lastName, artistInfo } = user;
  const names = [
    displayName,
    [firstName, lastName].filter(Boolean).join(' '),
    artistInfo?.username,
  ];
  return names.find((name) => name?.trim()) ?? 'Without a name';
}

/** What errors tell; those of Firebase Auth have a `code` too. */
export const failureOf = (error: unknown) => error as Partial<MarketplaceError>;

type Sentences = Partial<Record<ErrorCode, string>>;

/** Runs an action, and shows what went wrong, if anything; whether it succeeded. */
export async function attempt(work: () => unknown, sentences?: Sentences): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const { name, status, code } = failureOf(error);
    // The user has left the view: do not show its errors.
    if (name === 'AbortError') return false;
    notify(sentenceFor(error, sentences), { stays: status === 500 });
    if (code === 'unauthenticated') await signOut(auth);
    return false;
  }
}

const NO_ACCOUNT = 'There is no account with this e-mail and password.';
const SESSION_ENDED = 'Your session has ended. Please sign in again.';

/** What to tell people about an error of the API or of Firebase Auth, by its code. */
const SENTENCES: Sentences = {
  'invalid-argument': 'This was not accepted. Please check what you entered.',
  unauthenticated: SESSION_ENDED,
  'permission-denied': 'This belongs to somebody else.',
  'not-found': 'This is no longer there.',
  'cursor-not-found': 'The list has changed meanwhile. Please load it again.',
  'resource-exhausted': 'That was a lot at once. Please wait a moment.',
  unavailable: 'The service is busy. Please try again in a moment.',
  'outcome-unknown': 'The service could not confirm this.',
  'no-response': 'The service cannot be reached. Please check your connection.',
  'no-token': 'Your session could not be confirmed. Please check your connection.',
  'user-changed': 'Somebody else has signed in meanwhile, so this was not done.',
  'auth/network-request-failed': 'Signing in is not possible: the service cannot be reached.',
  'auth/too-many-requests': 'Too many attempts. Please wait a few minutes.',
  'auth/invalid-credential': NO_ACCOUNT,
  'auth/wrong-password': NO_ACCOUNT,
  'auth/user-not-found': NO_ACCOUNT,
  'auth/user-token-expired': SESSION_ENDED,
};

/** What to say if the artist's own work has changed elsewhere: a request is carried out for all of its ids or none. */
export const CHANGED: Sentences = {
  'not-found': 'Some of these are no longer there, so nothing was changed. Please reload the page.',
};

/** A sentence about an error; `sentences` are those of the action, by code. */
export function sentenceFor(error: unknown, sentences: Sentences = {}): string {
  const { status, code = '', retryAfter, mayHaveSucceeded, requestId } = failureOf(error);
  return [
    sentences[code] ?? SENTENCES[code] ?? 'That did not work. Please try again later.',
    retryAfter && `(${Math.ceil(retryAfter)} s)`,
    mayHaveSucceeded && 'It may have been carried out all the same.',
    status === 500 && requestId && `If you ask for help, quote ${requestId}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The elements of all pages of a list, each once: the list may change while it is read. */
export async function elementsOf<Page, Element extends { readonly id: string }>(
  listPages: Pages<Page>,
  inPage: (page: Page) => readonly Element[],
): Promise<Element[]> {
  const elements = new Map<string, Element>();
  for await (const page of listPages) {
    for (const element of inPage(page)) elements.set(element.id, element);
  }
  return [...elements.values()];
}

/**
 * A button that shows the next page of a list, at most one at a time. The first page is shown before it is there. Where
 * the list has changed so that there is no next page, it loads the list again. `show` returns the first new element,
 * which takes over the focus from the button.
 */
export async function moreButton<Page extends { readonly hasMore: boolean }>(
  label: string,
  open: () => Pages<Page>,
  show: (page: Page, isFirst: boolean) => HTMLElement | null | undefined,
): Promise<HTMLElement> {
  let listPages = open();
  let isFirst = true;
  const read = async () => {
    // Not disabled, or it would lose the focus.
    if (button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    try {
      const { value: page, done } = await listPages.next();
      const hadFocus = focused() === button;
      button.hidden = done === true || !page.hasMore;
      button.textContent = label;
      const start = done ? undefined : show(page, isFirst);
      if (hadFocus) start?.focus({ preventScroll: true });
      isFirst = false;
    } catch (error) {
      if (failureOf(error).code === 'cursor-not-found') {
        listPages = open();
        isFirst = true;
        button.textContent = 'Load the list again';
      }
      throw error;
    } finally {
      button.ariaBusy = 'false';
    }
  };
  const button = quiet(label, () => attempt(read));
  await read();
  return button;
}
