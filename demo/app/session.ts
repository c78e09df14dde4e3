import { initializeApp } from 'firebase/app';
import { browserLocalPersistence, connectAuthEmulator, initializeAuth } from 'firebase/auth';
import { useState } from 'react';
import { createMarketplaceClient, firebaseToken } from '@tattoo-marketplace/client';
import { errorDetails } from '#hooks/errorMessages.ts';
import type { DemoData } from '../demoData.ts';

/** The demo data, Firebase Auth and the API client, connected to the local stack. */
const response = await fetch('/demo/local.json');
export const demo = (await response.json()) as DemoData;
const app = initializeApp({ apiKey: 'demo' });
export const auth = initializeAuth(app, { persistence: browserLocalPersistence });
connectAuthEmulator(auth, `http://${demo.authEmulator}`, { disableWarnings: true });
export const api = createMarketplaceClient({ baseUrl: '/api', token: firebaseToken(auth) });

/** Signs out if the API has rejected the session. */
export async function signOutIfRejected(error: unknown) {
  if (errorDetails(error).code === 'unauthenticated') await auth.signOut();
}

/** Like `useState`, but keeps the value in this tab: the API cannot read schedules, time off and bookings. */
export function useSessionStorage<Value>(key: string, initial: Value) {
  const [value, setValue] = useState(
    () => (JSON.parse(sessionStorage.getItem(key) ?? 'null') as Value | null) ?? initial,
  );
  const save = (change: (former: Value) => Value) =>
    setValue((former) => {
      const changed = change(former);
      sessionStorage.setItem(key, JSON.stringify(changed));
      return changed;
    });
  return [value, save] as const;
}
