import { useRef } from 'react';
import type { Message } from '@tattoo-marketplace/client';
import { useMessages } from '../../api/useMessages.ts';
import { Hint } from '../../components/controls.tsx';
import { LoadMoreButton } from '../../components/LoadMoreButton.tsx';
import { Page } from '../../components/Page.tsx';
import { formatDay, formatTime } from '../../format.ts';
import { useAccount, useSession } from '../../session.ts';

/** One conversation, newest message last. Earlier messages load page by page. */
export function Conversation({ id }: { id: string }) {
  const { conversations } = useAccount();
  const messages = useMessages(id);
  const container = useRef<HTMLOListElement>(null);
  const { title = 'Conversation' } = conversations.find((each) => each.id === id) ?? {};
  const bubbles = messages.items.map((message) => <Bubble key={message.id} {...message} />);
  return (
    <Page data={[messages]}>
      <div className="conversation">
        <p>
          <a href="#/messages">All conversations</a>
        </p>
        <h1>{title}</h1>
        <LoadMoreButton label="Earlier messages" list={messages} container={container} isReversed />
        {bubbles.length === 0 && <Hint>Nobody has written yet.</Hint>}
        <ol className="messages" role="list" ref={container} children={bubbles.reverse()} />
        <div data-start />
      </div>
    </Page>
  );
}

function Bubble({ senderId = '', content, timestamp }: Message) {
  const { demo, account } = useSession();
  const isOwn = senderId === account?.uid;
  const time = timestamp && `${formatDay(timestamp)}, ${formatTime(timestamp)}`;
  return (
    <li className={isOwn ? 'message is-own' : 'message'} tabIndex={-1}>
      <span className="sender">{isOwn ? 'You' : (demo.names[senderId] ?? 'Somebody')}</span>
      <p>{content}</p>
      {timestamp && <time dateTime={new Date(timestamp).toISOString()}>{time}</time>}
    </li>
  );
}
