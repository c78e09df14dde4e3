import type { Visit } from './App.tsx';
import { Artist } from './views/artist/Artist.tsx';
import { Bookings } from './views/bookings/Bookings.tsx';
import { Explore } from './views/explore/Explore.tsx';
import { Conversation } from './views/messages/Conversation.tsx';
import { Conversations } from './views/messages/Conversations.tsx';
import { OwnWork } from './views/ownWork/OwnWork.tsx';
import { SignIn } from './views/signIn/SignIn.tsx';
import { Week } from './views/week/Week.tsx';

/** The view for a hash: `#/messages/ID`. */
export function View({ hash, account }: Visit) {
  const [name = '', ...ids] = parseHash(hash);
  const [id = ''] = ids;
  switch ([name, ...ids.map((part) => part && ':id')].join('/')) {
    case '':
      return <Explore />;
    case 'artists/:id':
      return account?.uid === id ? <OwnWork {...account} /> : <Artist id={id} />;
    case 'sign-in':
      return <SignIn />;
    case 'week':
      return account ? <Week {...account} /> : <SignIn purpose="to see your week" />;
    case 'bookings':
      return account ? <Bookings {...account} /> : <SignIn purpose="to see your bookings" />;
    case 'messages':
      return account ? <Conversations {...account} /> : <SignIn purpose="to read your messages" />;
    case 'messages/:id':
      if (!account) return <SignIn purpose="to read your messages" />;
      return <Conversation id={id} account={account} />;
    default:
      return <NotFound />;
  }
}

/** Returns the decoded parts of a hash. */
function parseHash(hash: string): string[] {
  try {
    return hash.slice(2).split('/').map(decodeURIComponent);
  } catch {
    return ['malformed'];
  }
}

const NotFound = () => (
  <>
    <h1>There is no such page</h1>
    <p>
      <a href="#/">See all artists</a>
    </p>
  </>
);
