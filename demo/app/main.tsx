import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { App } from './App.tsx';
import { leaveView, queryClient } from './queryClient.ts';
import { auth, demo } from './session.ts';
import type { Visit } from './View.tsx';

const root = createRoot(document.getElementById('app') ?? document.body);
let id = 0;

/** Opens the view for the URL and the signed-in user. */
function openView() {
  leaveView();
  id += 1;
  const account = demo.accounts.find(({ uid }) => uid === auth.currentUser?.uid);
  const visit: Visit = { id, hash: location.hash || '#/', account };
  root.render(
    <QueryClientProvider client={queryClient}>
      <App visit={visit} onRetry={openView} />
    </QueryClientProvider>,
  );
}

addEventListener('hashchange', openView);
// Called at the start, when Firebase has restored the session of an earlier visit, and when somebody signs in or out.
auth.onAuthStateChanged(openView);
