import { onAuthStateChanged, signOut } from 'firebase/auth';
import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { describeError, errorDetails } from './api/errorMessages.ts';
import { MarketplaceContext } from './api/MarketplaceContext.ts';
import { QuietButton } from './components/controls.tsx';
import { Notice } from './components/Notice.tsx';
import { ErrorBoundary, Page } from './components/Page.tsx';
import type { Account } from './demoData.ts';
import { focusView, getFrame } from './frame.ts';
import { readAccount, SessionContext } from './session.ts';
import type { NoticeOptions, RunAction, Session } from './session.ts';
import { Artist } from './views/artist/Artist.tsx';
import { Bookings } from './views/bookings/Bookings.tsx';
import { Explore } from './views/explore/Explore.tsx';
import { Conversation } from './views/messages/Conversation.tsx';
import { Conversations } from './views/messages/Conversations.tsx';
import { SignIn } from './views/signIn/SignIn.tsx';
import { Week } from './views/week/Week.tsx';

interface Route {
  View: ComponentType<{ id: string; purpose?: string }>;
  /** Why to sign in for the view, if it requires an account. */
  purpose?: string;
}

const ROUTES = new Map<string, Route>([
  ['', { View: Explore }],
  ['artists/:id', { View: Artist }],
  ['week', { View: Week, purpose: 'to see your week' }],
  ['bookings', { View: Bookings, purpose: 'to see your bookings' }],
  ['messages', { View: Conversations, purpose: 'to read your messages' }],
  ['messages/:id', { View: Conversation, purpose: 'to read your messages' }],
  ['sign-in', { View: SignIn }],
]);

/** Returns the view for a hash: `#/messages/ID`. */
function findView(hash: string, account: Account | undefined): ReactNode {
  const [name = '', part, ...rest] = hash.slice(2).split('/');
  const route = ROUTES.get(part === undefined ? name : `${name}/:id`);
  const id = decode(part ?? '');
  if (!route || part === '' || id === undefined || rest.length > 0) return <NotFound />;
  const { View, purpose } = route;
  return purpose !== undefined && !account ? <SignIn purpose={purpose} /> : <View id={id} />;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const NotFound = () => (
  <Page>
    <h1>There is no such page</h1>
    <p>
      <a href="#/">See all artists</a>
    </p>
  </Page>
);

/** A navigation to a URL. */
interface Visit {
  /** Differs for each visit, so that React creates the view anew. */
  readonly id: number;
  readonly hash: string;
  readonly account: Account | undefined;
}

export function App({ session }: { session: Session }) {
  const { api, auth } = session;
  const [visit, setVisit] = useState<Visit>();
  /** The visit on the screen: the former one, until the view of the current one has loaded. */
  const [shown, setShown] = useState<Visit>();
  const [notice, setNotice] = useState<NoticeOptions & { id: number; text: string }>();

  const reload = useCallback(() => {
    // Screen readers continue at the start of the view.
    if (document.querySelector('h1')) focusView();
    const { hash } = location;
    const account = readAccount(session);
    setVisit((former) => ({ id: (former?.id ?? 0) + 1, hash, account }));
  }, [session]);

  useEffect(() => {
    const navigate = ({ oldURL }: HashChangeEvent) => {
      // The skip link leads to an element, which is no route.
      if (location.hash === '#view') history.replaceState(null, '', oldURL);
      else reload();
    };
    addEventListener('hashchange', navigate);
    // Also called at the start, when Firebase has restored the session of an earlier visit.
    const unsubscribe = onAuthStateChanged(auth, reload);
    return () => {
      removeEventListener('hashchange', navigate);
      unsubscribe();
    };
  }, [auth, reload]);

  useLayoutEffect(() => {
    getFrame('view').ariaBusy = shown && shown === visit ? null : 'true';
  }, [shown, visit]);

  useLayoutEffect(() => {
    if (!shown) return;
    document.title = `${document.querySelector('h1')?.textContent ?? ''} – Flash`;
    const start = document.querySelector('[data-start]');
    if (start) start.scrollIntoView({ block: 'end' });
    else scrollTo(0, 0);
  }, [shown]);

  const notify = (text: string, options?: NoticeOptions) =>
    setNotice((former) => ({ ...options, text, id: (former?.id ?? 0) + 1 }));
  const run: RunAction = async (action, success, errors) => {
    try {
      await action();
      if (success !== undefined) notify(success);
      return true;
    } catch (error) {
      const { name, status, code } = errorDetails(error);
      // The user has left the view.
      if (name === 'AbortError') return false;
      notify(describeError(error, errors), { persistent: status === 500 });
      if (code === 'unauthenticated') await signOut(auth);
      return false;
    }
  };

  const views = [...new Set([shown, visit])].map((each) => {
    if (!each) return null;
    const { id, hash, account } = each;
    const show = () => setShown(each);
    return (
      <div key={id} hidden={each !== shown}>
        <SessionContext value={{ ...session, account, show, reload, notify, run }}>
          <ErrorBoundary>{findView(hash, account)}</ErrorBoundary>
        </SessionContext>
      </div>
    );
  });
  return (
    <MarketplaceContext value={api}>
      {visit && createPortal(<Links {...visit} />, getFrame('links'))}
      {visit && createPortal(<AccountButton session={session} {...visit} />, getFrame('account'))}
      {!shown && <p>Loading …</p>}
      {views}
      {createPortal(
        notice && <Notice key={notice.id} {...notice} onHide={setNotice} />,
        getFrame('notice'),
      )}
    </MarketplaceContext>
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

function AccountButton({ session, account }: Visit & { session: Session }) {
  if (!account) return <a className="button" href="#/sign-in" children="Sign in" />;
  return (
    <>
      <span>{account.displayName}</span>
      <QuietButton label="Sign out" onClick={() => signOut(session.auth)} />
    </>
  );
}
