import { isId } from '../accepted.ts';
import { LONG, many, mostly, NOW, of, paging, SORTED, storing } from '../arbitraries.ts';
import { pageOf, requestedPage } from '../pages.ts';
import { demand, ok, valid, type Entry } from '../rules.ts';
import fc from 'fast-check';

const MESSAGES = 'conversations/~c0/messages';
const timestamp = mostly([NOW, NOW + 1, NOW + 2], SORTED);
/** Nobody is a participant but by exactly this text. */
const LIKE_ALICE = ['~alice-2', '~alic', '~Alice', '~alice ', ''];
const conversation = {
  'conversations/~c0': storing('conversations', {
    participantIds: mostly([['~bob', '~alice'], ['~alice'], LIKE_ALICE]),
  }),
};
const send = fc.record({ query: paging('~m', { conversationId: mostly(['~c0'], ['~c1']) }) });

/** The messages of a conversation, newest first, for its participants. */
export const getMessages: Entry = {
  isRead: true,
  answer(request) {
    const page = requestedPage(request, 100, 50);
    const { query = {}, documents, earlier = documents } = request;
    const { conversationId } = query;
    valid(isId(conversationId));
    const stored = earlier[`conversations/${conversationId}`];
    demand(stored !== undefined, 'not-found');
    const { participantIds: ids } = stored;
    demand(Array.isArray(ids) && ids.includes(request.caller), 'permission-denied');
    const list = {
      collection: `conversations/${conversationId}/messages`,
      has: () => true,
      orderBy: 'timestamp',
      isDescending: true,
    };
    const { elements: messages, ...end } = pageOf(list, page, request);
    return ok({ messages, ...end }, documents);
  },
  stored: { ...conversation, ...many(`${MESSAGES}/~m`, 5, storing(MESSAGES, { timestamp })) },
  send,
  apart: [
    {
      send,
      stored: {
        ...conversation,
        ...many(`${MESSAGES}/~n`, 4, storing(MESSAGES, { timestamp, content: of('x', LONG) })),
      },
    },
  ],
};
