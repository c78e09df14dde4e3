import { QueryClientProvider } from '@tanstack/react-query';
import { useDeferredValue, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { describeError, errorDetails } from './errors.ts';
import { focusView } from './focus.ts';
import { auth, demo, queryClient } from './session.ts';
import { View, type Visit } from './View.tsx';

const root = createRoot(document.getElementById('app') ?? document.body);
let visits = 0;

/** Opens the view for the URL and the signed-in user. Stops the reads of the former view. */
function openView() {
  const { uid } = auth.currentUser ?? {};
  void queryClient.cancelQueries();
  // Failed reads start again. The data of a former user is forgotten.
  queryClient.removeQueries({
    predicate: ({ state, queryKey: [, , owner = uid] }) =>
      state.status === 'error' || owner !== uid,
  });
  visits += 1;
  const account = demo.accounts.find((candidate) => candidate.uid === uid);
  const visit = { id: visits, hash: location.hash || '#/', account };
  root.render(
    <QueryClientProvider client={queryClient}>
      <App visit={visit} />
    </QueryClientProvider>,
  );
}

addEventListener('hashchange', openView);
// Called at the start, when Firebase has restored the session of an earlier visit, and when somebody signs in or out.
auth.onAuthStateChanged(openView);

function App({ visit }: { visit: Visit }) {
  const { account } = visit;
  /** The visit on the screen: the former one, until the view of the current one has loaded. */
  const shown = useDeferredValue(visit, null);

  useLayoutEffect(() => {
    if (!shown) return;
    document.title = `${document.querySelector('h1')?.textContent ?? ''} – Flash`;
    scrollTo(0, 0);
    document.querySelector('[data-start]')?.scrollIntoView({ block: 'end' });
    // Screen readers continue at the start of the view. They read the first one from the top of the page.
    if (shown.id > 1) focusView();
  }, [shown]);

  return (
    <>
      <header id="bar" className="row">
        <button className="skip" onClick={focusView} children="Skip to the content" />
        <a className="row brand" href="#/">
          <img src="/icon.svg" alt="" width="28" height="28" />
          Flash
        </a>
        <nav id="links" className="row" aria-label="Pages">
          <Links {...visit} />
        </nav>
        <div id="account" className="row">
          <span>{account?.displayName}</span>
          {account ? (
            <button onClick={() => auth.signOut()}>Sign out</button>
          ) : (
            <a className="button" href="#/sign-in" children="Sign in" />
          )}
        </div>
      </header>
      <main tabIndex={-1} aria-busy={shown === visit ? undefined : true}>
        <label className="loading">
          Loading … <progress />
        </label>
        {shown && (
          <ErrorBoundary key={shown.id} FallbackComponent={LoadError}>
            <View {...shown} />
          </ErrorBoundary>
        )}
      </main>
      <footer>
        A demo. For developers: the <a href="/">reference</a>, and the{' '}
        <a href="/#description/use-the-client">client</a> that this app uses.
      </footer>
    </>
  );
}

function Links({ hash, account }: Visit) {
  const links = [['#/', 'Artists']];
  if (account?.schedule) {
    const work = `#/artists/${encodeURIComponent(account.uid)}`;
    links.push([work, 'My work'], ['#/week', 'My week'], ['#/bookings', 'Bookings']);
  }
  if (account) links.push(['#/messages', 'Messages']);
  return links.map(([href, text]) => (
    <a key={href} href={href} aria-current={href === hash ? 'page' : undefined} children={text} />
  ));
}

/** Says why a view could not be loaded. */
function LoadError({ error }: FallbackProps) {
  const { code = '' } = errorDetails(error);
  // After these errors, the same request fails again.
  const isRetryable = !['invalid-argument', 'permission-denied', 'not-found'].includes(code);
  return (
    <>
      <h1>This page could not be loaded</h1>
      <p>{describeError(error, auth.currentUser)}</p>
      {isRetryable && <button onClick={openView}>Try again</button>}
    </>
  );
}
