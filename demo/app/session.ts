import { initializeApp } from 'firebase/app';
import { browserLocalPersistence, connectAuthEmulator, initializeAuth } from 'firebase/auth';
import { createContext, use, useState } from 'react';
import { createMarketplaceClient, firebaseToken } from '@tattoo-marketplace/client';
import type { ErrorMessages } from './api/errorMessages.ts';
import type { Account, DemoData } from './demoData.ts';

/** The demo data, Firebase Auth and the API client. */
export type Session = Awaited<ReturnType<typeof connect>>;

/** Loads the demo data, and connects to the local stack. */
export async function connect() {
  const response = await fetch('/demo/local.json');
  const demo = (await response.json()) as DemoData;
  const app = initializeApp({ apiKey: 'demo' });
  const auth = initializeAuth(app, { persistence: browserLocalPersistence });
  connectAuthEmulator(auth, `http://${demo.authEmulator}`, { disableWarnings: true });
  const api = createMarketplaceClient({ baseUrl: '/api', token: firebaseToken(auth) });
  return { demo, auth, api };
}

/** Returns the account of the signed-in user, with the changes that were saved in this tab. */
export function readAccount({ demo, auth }: Session): Account | undefined {
  const account = demo.accounts.find(({ uid }) => uid === auth.currentUser?.uid);
  return account && { ...account, ...readChanges(account) };
}

/** Saves changes in this tab: the API cannot read schedules, time off and bookings. */
export function saveChanges(account: Account, changes: Partial<Account>): void {
  const changed = { ...readChanges(account), ...changes };
  sessionStorage.setItem(account.uid, JSON.stringify(changed));
}

function readChanges({ uid }: Account): Partial<Account> {
  return JSON.parse(sessionStorage.getItem(uid) ?? '{}') as Partial<Account>;
}

/** How a notice behaves. */
export interface NoticeOptions {
  /** Reverts the action. The notice then has a button for that. */
  undo?: (() => unknown) | undefined;
  /** Does not hide by itself. */
  persistent?: boolean;
  /** The button to undo gets the focus. */
  viaKeyboard?: boolean;
}

/** The session in a view, and what the view can do in the app. */
interface ViewSession extends Session {
  /** The account with which the view was opened. */
  account: Account | undefined;
  /** Shows the view in place of the former one. */
  show: () => void;
  /** Loads the view again. */
  reload: () => void;
  /** Shows a message at the top of the page, also to screen readers. */
  notify: (text: string, options?: NoticeOptions) => void;
  /** Runs an action, and shows its error or the text for its success. Resolves with whether it succeeded. */
  run: RunAction;
}

export type RunAction = (
  action: () => Promise<unknown>,
  success?: string,
  errors?: ErrorMessages,
) => Promise<boolean>;

export const SessionContext = createContext<ViewSession | undefined>(undefined);

export function useSession(): ViewSession {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('useSession needs a SessionContext above it.');
  return session;
}

/** Returns the account in a view that requires one. */
export function useAccount(): Account {
  const { account } = useSession();
  if (account === undefined) throw new Error('Nobody is signed in.');
  return account;
}

/** Returns a field of the account, and a function that changes it in this tab. */
export function useAccountField<Field extends keyof Account>(field: Field) {
  const account = useAccount();
  const [value, setValue] = useState(account[field]);
  const save = (changed: Account[Field]) => {
    setValue(changed);
    saveChanges(account, { [field]: changed });
  };
  return [value, save] as const;
}
