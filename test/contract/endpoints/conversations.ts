import fc from 'fast-check';
import { isId } from '../accepted.ts';
import { LONG, mostly, NOW, numbered, of, paging, SORTED, storing } from '../arbitraries.ts';
import { pageOf, requestedPage } from '../pages.ts';
import { demand, ok, valid, type Entry, type Scene, type Stored } from '../rules.ts';

const timestamp = mostly([NOW, NOW + 1, NOW + 2], SORTED);
/** Nobody is a participant but by exactly this text. */
const LIKE_ALICE = ['~alice-2', '~alic', '~Alice', '~alice ', ''];
const conversation = storing(['conversations/~c0'], {
  participantIds: mostly([['~bob', '~alice'], ['~alice'], LIKE_ALICE]),
});
const conversationId = mostly(['~c0'], ['~c1']);
const messages = storing(numbered('conversations/~c0/messages/~m', 5), { timestamp });
const large = storing(numbered('conversations/~c0/messages/~n', 4), {
  timestamp,
  content: of('x', LONG),
});

/** The messages of a conversation, newest first, for its participants. */
export const getMessages: Entry = {
  isRead: true,
  answer(request) {
    const page = requestedPage(request, 100, 50);
    const { query = {}, documents, earlier = documents } = request;
    valid(isId(query.conversationId));
    const path = `conversations/${query.conversationId}`;
    const stored = earlier[path];
    demand(stored !== undefined, 'not-found');
    const { participantIds: ids } = stored;
    demand(Array.isArray(ids) && ids.includes(request.caller), 'permission-denied');
    const newestFirst = { orderBy: 'timestamp', isDescending: true };
    const list = { collection: `${path}/messages`, ...newestFirst };
    const { elements, ...rest } = pageOf(list, page, request);
    return ok({ messages: elements, ...rest }, documents);
  },
  ...sceneOf(messages),
  apart: [sceneOf(large)],
};

function sceneOf(stored: Stored): Scene {
  const query = paging(stored, { conversationId });
  return { stored: { ...conversation, ...stored }, send: fc.record({ query }) };
}
