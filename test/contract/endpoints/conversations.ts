import { documents, mostly, NOW, numbered, pageQuery } from '../generators.ts';
import { pageOf, readPage, type Limits } from '../lists.ts';
import { ensure, ensureValid, ok, type EndpointModel } from '../model.ts';
import { isId } from '../values.ts';

const LIMITS: Limits = [100, 50];
/** Only exactly this text makes a participant. */
const LIKE_ALICE = ['~alice-2', '~alic', '~Alice', '~alice ', ''];
const conversations = documents(['conversations/~c0', 'conversations/~c1'], {
  participantIds: mostly([['~bob', '~alice'], ['~alice'], LIKE_ALICE]),
});
/** Also a message of another conversation with the same id. */
const messages = documents(
  ['conversations/~c1/messages/~m0', ...numbered('conversations/~c0/messages/~m', 60)],
  { timestamp: mostly([NOW, NOW + 1, NOW + 2]) },
);

/** The messages of a conversation, newest first, for its participants. */
export const getMessages: EndpointModel = {
  apply(request) {
    const { query = {}, state } = request;
    pageOf(request, LIMITS);
    ensureValid(isId(query.conversationId));
    const path = `conversations/${query.conversationId}`;
    ensure(path in state, 'not-found');
    const { participantIds } = state[path] ?? {};
    const isParticipant = Array.isArray(participantIds) && participantIds.includes(request.caller);
    ensure(isParticipant, 'permission-denied');
    const collection = `${path}/messages`;
    const newestFirst = { collection, orderBy: 'timestamp', descending: true, limits: LIMITS };
    return ok(readPage({ ...newestFirst, itemsField: 'messages' }, request), state);
  },
  documents: { ...conversations, ...messages },
  request: {
    query: { ...pageQuery(messages, LIMITS), conversationId: mostly(['~c0', '~c1'], ['~c2']) },
  },
};
