import { pages } from '../../client/index.js';
import { api, attempt, auth, demo, moreButton, ownDemo } from '../api.js';
import { dayOf, h, hint, quiet, timeOf, ul } from '../dom.js';
import { notify } from '../notice.js';

/** The signed-in user's conversations. The API cannot list them, so this view only knows those of the demo data. */
export async function conversations() {
  const known = ownDemo()?.conversations ?? [];
  const field = h('input', { name: 'id', required: true, autocomplete: 'off' });
  const open = (event) => {
    event.preventDefault();
    location.hash = address(field.value.trim());
  };
  const reset = () =>
    attempt(async () => {
      await api.notifications.resetNewNotifications();
      notify('You have no new notifications.');
    });
  const links = known.map(({ id, title }) =>
    h('li', {}, h('a', { class: 'choice', href: address(id) }, h('strong', {}, title))),
  );
  return [
    h(
      'div',
      { class: 'heading' },
      h('h1', {}, 'Messages'),
      quiet('Mark notifications as read', reset),
    ),
    ul('choices', links),
    h(
      'form',
      { class: 'stack', onsubmit: open },
      h('label', {}, 'Open a conversation by its id', field),
      quiet('Open'),
    ),
  ];
}

function address(id) {
  return `#/messages/${encodeURIComponent(id)}`;
}

/** One conversation, newest message last. Earlier messages load page by page. */
export async function conversation(options, conversationId) {
  const title = ownDemo()?.conversations.find(({ id }) => id === conversationId)?.title;
  const list = h('ol', { class: 'messages', role: 'list' });
  const listPages = pages(api.conversations.getMessages, { conversationId, limit: 30 }, options);
  const earlier = await moreButton('Earlier messages', listPages, ({ messages }) => {
    const from = document.documentElement.scrollHeight - scrollY;
    list.prepend(...messages.map(bubble).reverse());
    // Do not move the messages that the user is reading.
    scrollTo(0, document.documentElement.scrollHeight - from);
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

function bubble({ senderId, content, timestamp }) {
  const isOwn = senderId === auth.currentUser.uid;
  const time = timestamp && `${dayOf(timestamp)}, ${timeOf(timestamp)}`;
  return h(
    'li',
    { class: isOwn ? 'message is-own' : 'message' },
    !isOwn && h('span', { class: 'sender' }, demo?.names[senderId] ?? 'Somebody'),
    h('p', {}, content),
    time && h('time', { dateTime: new Date(timestamp).toISOString() }, time),
  );
}
