import { useMarketplace } from '../../api/MarketplaceContext.ts';
import { List, QuietButton } from '../../components/controls.tsx';
import { Page } from '../../components/Page.tsx';
import { useAccount, useSession } from '../../session.ts';

/** The signed-in user's conversations. The API has no list of them: these are in the demo data. */
export function Conversations() {
  const { conversations } = useAccount();
  const { resetNewNotifications } = useMarketplace().notifications;
  const { run } = useSession();
  const reset = () => run(resetNewNotifications, 'You have no new notifications.');
  const links = conversations.map(({ id, title }) => (
    <li key={id}>
      <a className="choice" href={`#/messages/${encodeURIComponent(id)}`}>
        <strong>{title}</strong>
      </a>
    </li>
  ));
  return (
    <Page>
      <div className="row heading">
        <h1>Messages</h1>
        <QuietButton label="Mark notifications as read" onClick={reset} />
      </div>
      <List className="choices">{links}</List>
    </Page>
  );
}
