import { pages } from '../../client/index.js';
import { api, attempt, auth, demo, ownDemo } from '../api.js';
import { h } from '../dom.js';

/** The conversations of whoever is signed in. The API has no list of them: the local stack knows those of its demo. */
export async function conversations() {
  const known = ownDemo()?.conversations ?? [];
  const field = h('input', { name: 'id', required: true, autocomplete: 'off' });
  const open = (event) => {
    event.preventDefault();
    location.hash = address(field.value.trim());
  };
  return [
    h('h1', {}, 'Messages'),
    h(
      'ul',
      { class: 'choices', role: 'list' },
      known.map(({ id, title }) =>
        h('li', {}, h('a', { class: 'choice', href: address(id) }, h('strong', {}, title))),
      ),
    ),
    h(
      'form',
      { class: 'stack', onsubmit: open },
      h('label', {}, 'Open a conversation by its id', field),
      h('button', { class: 'quiet' }, 'Open'),
    ),
  ];
}

function address(id) {
  return `#/messages/${encodeURIComponent(id)}`;
}

/** One conversation, the newest message at the foot; earlier ones are read page by page. */
export async function conversation(options, conversationId) {
  const title = ownDemo()?.conversations.find(({ id }) => id === conversationId)?.title;
  const list = h('ol', { class: 'messages', role: 'list' });
  const earlier = h(
    'button',
    { class: 'quiet', onclick: () => attempt(readPage) },
    'Earlier messages',
  );
  const messagePages = pages(api.conversations.getMessages, { conversationId, limit: 30 }, options);
  const readPage = async () => {
    const { value: page } = await messagePages.next();
    const from = document.documentElement.scrollHeight - scrollY;
    list.prepend(...page.messages.map(bubble).reverse());
    // What was being read stays where it is.
    scrollTo(0, document.documentElement.scrollHeight - from);
    earlier.hidden = !page.hasMore;
    if (list.children.length === 0) list.replaceWith(h('p', {}, 'Nobody has written yet.'));
  };
  await readPage();
  // Seen is seen: nobody waits for this.
  void attempt(() => api.notifications.resetNewNotifications(undefined, options));
  return [
    h('p', {}, h('a', { href: '#/messages' }, 'All conversations')),
    h('h1', {}, title ?? 'Conversation'),
    earlier,
    list,
    h('div', { 'data-start': true }),
  ];
}

function bubble({ senderId, content, timestamp }) {
  const isOwn = senderId === auth?.currentUser?.uid;
  const time = new Date(timestamp);
  return h(
    'li',
    { class: isOwn ? 'message is-own' : 'message' },
    !isOwn && h('span', { class: 'sender' }, demo?.names[senderId] ?? senderId),
    h('p', {}, content),
    timestamp &&
      h(
        'time',
        { dateTime: time.toISOString() },
        time.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }),
      ),
  );
}
