import { createRoot } from 'react-dom/client';
import { openScreen } from '#hooks/screen.ts';
import { App } from './App.tsx';
import { hideUndo } from './components/notices.tsx';
import { api, auth, demo } from './session.ts';
import type { Visit } from './visit.ts';

const root = createRoot(document.body);
let visit: Visit | undefined;

/** Opens the view for the URL and the signed-in user. */
function openView() {
  visit?.leave();
  hideUndo();
  visit = {
    ...openScreen(api),
    hash: location.hash || '#/',
    account: demo.accounts.find(({ uid }) => uid === auth.currentUser?.uid),
  };
  root.render(<App visit={visit} onRetry={openView} />);
}

addEventListener('hashchange', openView);
// Called at the start, when Firebase has restored the session of an earlier visit, and when somebody signs in or out.
auth.onAuthStateChanged(openView);
