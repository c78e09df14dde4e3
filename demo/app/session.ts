import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { initializeApp } from 'firebase/app';
import { browserLocalPersistence, connectAuthEmulator, initializeAuth } from 'firebase/auth';
import { createMarketplaceClient, firebaseToken } from '@tattoo-marketplace/client';
import { createQueries } from '@tattoo-marketplace/client/react-query';
import type { DemoPageData } from '../pageData.ts';
import { notify } from './components/notices.tsx';
import { describeError, errorDetails, type ErrorMessages } from './errors.ts';

/** The demo data, Firebase Auth, the API client and its queries, connected to the local stack. */
const response = await fetch('/demo/local.json');
export const demo = (await response.json()) as DemoPageData;
const app = initializeApp({ apiKey: 'demo' });
export const auth = initializeAuth(app, { persistence: browserLocalPersistence });
connectAuthEmulator(auth, `http://${demo.authEmulator}`, { disableWarnings: true });
export const api = createMarketplaceClient({ baseUrl: '/api', token: firebaseToken(auth) });
export const queries = createQueries(api, { getUid: () => auth.currentUser?.uid });

declare module '@tanstack/react-query' {
  interface Register {
    /** The notice after the success of a change, and the messages for its errors. */
    mutationMeta: { success?: string; errors?: ErrorMessages };
  }
}

// Components have the new data when the promise of a read resolves.
notifyManager.setScheduler(queueMicrotask);

/** The data of the API. Says how changes ended, and which reads failed, unless a view says so itself. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { state }) => void showError(error, state.data !== undefined),
  }),
  mutationCache: new MutationCache({
    onError: (error, _input, _context, { meta }) => showError(error, true, meta?.errors),
    onSuccess: (_result, _input, _context, { meta }) => {
      if (meta?.success !== undefined) notify({ text: meta.success });
    },
  }),
  // Requests that cannot be sent fail at once.
  defaultOptions: { queries: { networkMode: 'always' }, mutations: { networkMode: 'always' } },
});

/** Shows an error, and signs out if the API has rejected the session. */
async function showError(error: unknown, hasNotice: boolean, messages?: ErrorMessages) {
  const { status, code } = errorDetails(error);
  if (hasNotice)
    notify({ text: describeError(error, auth.currentUser, messages), persistent: status === 500 });
  if (code === 'unauthenticated') await auth.signOut();
}
