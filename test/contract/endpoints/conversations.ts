import { createPaths, generateDocuments, TIMES, vary } from '../generators.ts';
import { createPagedListModel } from '../lists.ts';
import { ensureValid, findForRole } from '../endpointModel.ts';
import { isId } from '../values.ts';

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

/** Returns messages of a conversation, newest first, to its participants. */
export const getMessages = createPagedListModel(
  {
    orderBy: 'timestamp',
    descending: true,
    itemsField: 'messages',
    hasTotal: false,
    maxLimit: 100,
    defaultLimit: 50,
    parents: conversations,
    documents: messages,
    request: { query: { conversationId: vary(['~c0', '~c1'], ['~c2']) } },
    // The conversation.
    extraReads: 1,
  },
  (request) => {
    const { conversationId } = request.query ?? {};
    ensureValid(isId(conversationId));
    const path = `conversations/${conversationId}`;
    findForRole(path, ['participantIds'], request);
    return { collection: `${path}/messages` };
  },
);
