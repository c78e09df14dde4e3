import { pages, type Message } from '@tattoo-marketplace/client';
import {
  account,
  api,
  attempt,
  auth,
  demo,
  moreButton,
  ownDemo,
  type ViewOptions,
} from '../api.ts';
import { dayOf, h, hint, quiet, timeOf, ul, type Child } from '../dom.ts';
import { notify } from '../notice.ts';
import { cardOf } from '../pictures.ts';

/** The signed-in user's conversations. The API cannot list them, so this view only knows those of the demo data. */
export function conversations(): Child[] {
  const reset = () =>
    attempt(async () => {
      await api.notifications.resetNewNotifications();
      notify('You have no new notifications.');
    });
  const links = ownDemo().conversations.map(({ id, title }) => {
    const href = `#/messages/${encodeURIComponent(id)}`;
    return h('li', {}, h('a', { class: 'choice', href }, h('strong', {}, title)));
  });
  return [
    h(
      'div',
      { class: 'heading' },
      h('h1', {}, 'Messages'),
      quiet('Mark notifications as read', reset),
    ),
    ul('choices', links),
  ];
}

/** One conversation, newest message last. Earlier messages load page by page. */
export async function conversation(options: ViewOptions, conversationId: string): Promise<Child[]> {
  const title = account()?.conversations.find(({ id }) => id === conversationId)?.title;
  const list = h('ol', { class: 'messages', role: 'list' });
  const open = () => pages(api.conversations.getMessages, { conversationId, limit: 30 }, options);
  const earlier = await moreButton('Earlier messages', open, ({ messages }, isFirst) => {
    const from = document.documentElement.scrollHeight - scrollY;
    if (isFirst) list.replaceChildren();
    const unseen = messages.filter(({ id }) => cardOf(list, id) === undefined);
    const bubbles = unseen.map(bubble).reverse();
    list.prepend(...bubbles);
    // Do not move the messages that the user is reading.
    scrollTo(0, document.documentElement.scrollHeight - from);
    return bubbles[0];
  });
  return [
    h(
      'div',
      { class: 'conversation' },
      h('p', {}, h('a', { href: '#/messages' }, 'All conversations')),
      h('h1', {}, title ?? 'Conversation'),
      earlier,
      list.children.length > 0 ? list : hint('Nobody has written yet.'),
      h('div', { 'data-start': true }),
    ),
  ];
}

function bubble({ id, senderId = '', content, timestamp }: Message): HTMLElement {
  const isOwn = senderId === auth.currentUser?.uid;
  return h(
    'li',
    { class: isOwn ? 'message is-own' : 'message', 'data-id': id, tabIndex: -1 },
    h('span', { class: 'sender' }, isOwn ? 'You' : (demo.names[senderId] ?? 'Somebody')),
    h('p', {}, content),
    timestamp &&
      h(
        'time',
        { dateTime: new Date(timestamp).toISOString() },
        `${dayOf(timestamp)}, ${timeOf(timestamp)}`,
      ),
  );
}
