import { initializeApp } from 'firebase/app';
import { browserLocalPersistence, connectAuthEmulator, initializeAuth } from 'firebase/auth';
import { useState } from 'react';
import { createMarketplaceClient, firebaseToken } from '@tattoo-marketplace/client';
import { createQueries } from '@tattoo-marketplace/client/react-query';
import type { DemoData } from '../demoData.ts';

/** The demo data, Firebase Auth, the API client and its queries, connected to the local stack. */
const response = await fetch('/demo/local.json');
export const demo = (await response.json()) as DemoData;
const app = initializeApp({ apiKey: 'demo' });
export const auth = initializeAuth(app, { persistence: browserLocalPersistence });
connectAuthEmulator(auth, `http://${demo.authEmulator}`, { disableWarnings: true });
export const api = createMarketplaceClient({ baseUrl: '/api', token: firebaseToken(auth) });
export const queries = createQueries(api, { getUid: () => auth.currentUser?.uid });

/** Like `useState`, but keeps the value in this tab: the API cannot read schedules, time off and bookings. */
export function useSessionStorage<Value>(key: string, initial: Value) {
  const [value, setValue] = useState(
    () => (JSON.parse(tryStorage((tab) => tab.getItem(key)) ?? 'null') as Value | null) ?? initial,
  );
  const save = (changed: Value) => {
    tryStorage((tab) => tab.setItem(key, JSON.stringify(changed)));
    setValue(changed);
  };
  return [value, save] as const;
}

/** Uses the storage of the tab, unless the browser blocks it. */
function tryStorage<Result>(access: (tab: Storage) => Result): Result | undefined {
  try {
    return access(sessionStorage);
  } catch {
    return undefined;
  }
}
