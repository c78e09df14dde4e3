import type { ReactNode } from 'react';
import type { Account } from '../pageData.ts';
import { Artist } from './views/artist/Artist.tsx';
import { Bookings } from './views/bookings/Bookings.tsx';
import { Explore } from './views/explore/Explore.tsx';
import { Conversation, Conversations } from './views/messages/Messages.tsx';
import { SignIn } from './views/signIn/SignIn.tsx';
import { Week } from './views/week/Week.tsx';

/** A visit of a URL. Each visit has an id of its own, so that React creates the view anew. */
export type Visit = { id: number; hash: string; account: Account | undefined };

/** The view for a hash: `#/messages/ID`. */
export function View({ hash, account }: Visit) {
  const [name = '', ...ids] = parseHash(hash);
  const [id = ''] = ids;
  const signInForMessages = <SignIn purpose="to read your messages" />;
  const views = new Map<string, ReactNode>([
    ['', <Explore />],
    ['artists/:id', <Artist id={id} isOwn={account?.uid === id} />],
    ['week', account ? <Week {...account} /> : <SignIn purpose="to see your week" />],
    ['bookings', account ? <Bookings {...account} /> : <SignIn purpose="to see your bookings" />],
    ['messages', account ? <Conversations {...account} /> : signInForMessages],
    ['messages/:id', account ? <Conversation {...account} id={id} /> : signInForMessages],
    ['sign-in', <SignIn />],
  ]);
  return (
    views.get([name, ...ids.map((part) => part && ':id')].join('/')) ?? (
      <>
        <h1>There is no such page</h1>
        <a href="#/">See all artists</a>
      </>
    )
  );
}

/** Returns the decoded parts of a hash. */
function parseHash(hash: string): string[] {
  try {
    return hash.slice(2).split('/').map(decodeURIComponent);
  } catch {
    return ['malformed'];
  }
}
