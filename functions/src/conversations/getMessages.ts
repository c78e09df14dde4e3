import {
  documentId,
  defineEndpoint,
  pageParameters,
  pageResponse,
} from '@tattoo-marketplace/endpoints';
import { listMessages, Message } from './message.ts';

export const getMessages = defineEndpoint({
  method: 'GET',
  path: '/conversations/get-messages',
  access: 'signedIn',
  onlyFor: 'participants of the conversation',
  summary: 'Read the messages of a conversation',
  description: 'All messages of the conversation that have a `timestamp`, newest first, in pages.',
  query: pageParameters({ maxLimit: 100, defaultLimit: 50 }).extend({
    conversationId: documentId.describe('The id of the conversation.'),
  }),
  response: pageResponse('messages', Message).meta({
    id: 'MessagePage',
    description: 'A page of the messages of a conversation.',
  }),
  errors: {
    'invalid-argument': 'The id, the limit or the cursor is invalid.',
    'not-found': 'The conversation does not exist.',
  },
  example: {
    query: { conversationId: 'conversation-mara-robin', limit: '5' },
    response: {
      messages: [
        {
          id: 'message-007',
          senderId: 'client-robin-adeyemi',
          content: 'Is Tuesday at ten still free?',
          timestamp: 1_793_000_000_000,
          readBy: ['client-robin-adeyemi'],
          type: 'text',
        },
      ],
      hasMore: true,
      nextCursor: 'message-007',
    },
  },
  handle: ({ query: { conversationId, ...page }, caller }) =>
    listMessages(conversationId, page, caller.uid),
});
