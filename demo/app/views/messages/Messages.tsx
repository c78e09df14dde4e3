import { useMutation } from '@tanstack/react-query';
import type { Message } from '@tattoo-marketplace/client';
import { LoadMoreButton, useList } from '../../components/lists.tsx';
import type { Account } from '../../../pageData.ts';
import { dateTimeFormat } from '../../format.ts';
import { api, demo, queries } from '../../session.ts';

/** The signed-in user's conversations. The API has no list of them: these are in the demo data. */
export function Conversations({ conversations }: Account) {
  const { mutate: reset } = useMutation({
    mutationFn: () => api.notifications.resetNewNotifications(),
    meta: { success: 'You have no new notifications.' },
  });
  return (
    <>
      <div className="row heading">
        <h1>Messages</h1>
        <button onClick={() => reset()}>Mark notifications as read</button>
      </div>
      <ul role="list" className="choices">
        {conversations.map(({ id, title }) => (
          <li key={id}>
            <a className="choice" href={`#/messages/${encodeURIComponent(id)}`}>
              <strong>{title}</strong>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** One conversation, newest message last. Earlier messages load page by page. */
export function Conversation({ id, uid, conversations }: Account & { id: string }) {
  const messages = useList(queries.conversations.getMessages({ conversationId: id, limit: 30 }));
  const { title = 'Conversation' } = conversations.find((candidate) => candidate.id === id) ?? {};
  const bubbles = messages.items.map((message) => (
    <Bubble key={message.id} message={message} isOwn={message.senderId === uid} />
  ));
  return (
    <section>
      <a href="#/messages">All conversations</a>
      <h1>{title}</h1>
      <LoadMoreButton label="Earlier messages" list={messages} />
      <ul role="list" className="messages" children={bubbles.reverse()} />
      {bubbles.length === 0 && <p className="hint">Nobody has written yet.</p>}
      <div data-start />
    </section>
  );
}

function Bubble({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const { senderId = '', content, timestamp } = message;
  return (
    <li className={isOwn ? 'message is-own' : 'message'} tabIndex={-1}>
      <span className="sender">{isOwn ? 'You' : (demo.names[senderId] ?? 'Somebody')}</span>
      <p>{content}</p>
      {timestamp && (
        <time dateTime={new Date(timestamp).toISOString()}>{dateTimeFormat.format(timestamp)}</time>
      )}
    </li>
  );
}
