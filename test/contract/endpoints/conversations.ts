import { createPaths, generateDocuments, generatePageQuery, TIMES, vary } from '../generators.ts';
import { parsePageQuery, buildPage } from '../lists.ts';
import { ensure, ensureValid, respond, type EndpointModel } from '../endpointModel.ts';
import { isId } from '../values.ts';

const LIMITS = { maxLimit: 100, defaultLimit: 50 };
/** Ids of no participant, though similar to Alice's. */
const LIKE_ALICE = ['~alice-2', '~alic', '~Alice', '~alice ', ''];
const conversations = generateDocuments(['conversations/~c0', 'conversations/~c1'], {
  participantIds: vary([['~bob', '~alice'], ['~alice'], LIKE_ALICE]),
});
/** Includes a message of another conversation with the same id. */
const messages = generateDocuments(
  ['conversations/~c1/messages/~m0', ...createPaths('conversations/~c0/messages/~m', 60)],
  { timestamp: vary(TIMES) },
);

const pageQuery = generatePageQuery(messages, LIMITS.maxLimit);

/** Returns messages of a conversation, newest first, to its participants. */
export const getMessages: EndpointModel = {
  apply(request) {
    const { query = {}, state } = request;
    parsePageQuery(request, LIMITS);
    ensureValid(isId(query.conversationId));
    const path = `conversations/${query.conversationId}`;
    ensure(path in state, 'not-found');
    const { participantIds } = state[path] ?? {};
    const isParticipant =
      Array.isArray(participantIds) && participantIds.includes(request.callerId);
    ensure(isParticipant, 'permission-denied');
    const collection = `${path}/messages`;
    const newestFirst = { collection, orderBy: 'timestamp', descending: true, ...LIMITS };
    return respond(buildPage({ ...newestFirst, itemsField: 'messages' }, request), state);
  },
  documents: { ...conversations, ...messages },
  request: {
    query: { ...pageQuery, conversationId: vary(['~c0', '~c1'], ['~c2']) },
  },
  // The conversation.
  extraReads: 1,
};
