import { initializeApp } from 'firebase/app';
import { browserLocalPersistence, connectAuthEmulator, initializeAuth } from 'firebase/auth';
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
