import { useDeferredValue, useLayoutEffect } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { LoadError } from './components/LoadError.tsx';
import { focusView } from './focus.ts';
import { auth } from './session.ts';
import { View, type Visit } from './View.tsx';

export function App({ visit, onRetry }: { visit: Visit; onRetry: () => void }) {
  const { account } = visit;
  /** The visit on the screen: the former one, until the view of the current one has loaded. */
  const shown = useDeferredValue(visit, null);

  useLayoutEffect(() => {
    if (!shown) return;
    document.title = `${document.querySelector('h1')?.textContent ?? ''} – Flash`;
    const start = document.querySelector('[data-start]');
    if (start) start.scrollIntoView({ block: 'end' });
    else scrollTo(0, 0);
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
          {account ? (
            <>
              <span>{account.displayName}</span>
              <button onClick={() => auth.signOut()}>Sign out</button>
            </>
          ) : (
            <a className="button" href="#/sign-in" children="Sign in" />
          )}
        </div>
      </header>
      <main tabIndex={-1} aria-busy={shown === visit ? undefined : true}>
        {shown !== visit && (
          <label className="loading">
            Loading … <progress />
          </label>
        )}
        {shown && (
          <ErrorBoundary
            key={shown.id}
            fallbackRender={({ error }) => <LoadError error={error} onRetry={onRetry} />}
          >
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
