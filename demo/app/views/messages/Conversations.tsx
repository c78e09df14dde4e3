import { useMarketplace } from '../../api/MarketplaceContext.ts';
import { List, QuietButton } from '../../components/controls.tsx';
import { useRun } from '../../components/notices.tsx';
import type { Account } from '../../demoData.ts';

/** The signed-in user's conversations. The API has no list of them: these are in the demo data. */
export function Conversations({ conversations }: Account) {
  const { resetNewNotifications } = useMarketplace().api.notifications;
  const run = useRun();
  const reset = () => run(resetNewNotifications, 'You have no new notifications.');
  const links = conversations.map(({ id, title }) => (
    <li key={id}>
      <a className="choice" href={`#/messages/${encodeURIComponent(id)}`}>
        <strong>{title}</strong>
      </a>
    </li>
  ));
  return (
    <>
      <div className="row heading">
        <h1>Messages</h1>
        <QuietButton onClick={reset}>Mark notifications as read</QuietButton>
      </div>
      <List className="choices">{links}</List>
    </>
  );
}
