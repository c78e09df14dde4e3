import * as z from 'zod';
import {
  defineCollection,
  type PageRequest,
  readDocument,
  readPage,
  assertRole,
  storedTime,
} from '@tattoo-marketplace/collections';

export const Message = z
  .object({
    id: z.string().describe('The id of the message.'),
    senderId: z.string().optional().describe('The user who wrote it.'),
    content: z.string().optional().describe('The text of the message.'),
    timestamp: storedTime.optional().describe('When it was written, in ms, UTC.'),
    readBy: z.array(z.string()).optional().describe('The users who have read it.'),
    type: z.string().optional().describe('The type of message.'),
  })
  .meta({ id: 'Message', description: 'A message of a conversation.' });
export type Message = z.infer<typeof Message>;

export const conversations = defineCollection('conversations', {
  description: 'The participants of conversations.',
  schema: z.object({
    id: z.string(),
    participantIds: z.array(z.string()).optional().describe('The users who may read the messages.'),
  }),
  requiredFields: { participantIds: 'no user can read its messages' },
});
export const messages = defineCollection('conversations/{conversationId}/messages', {
  description: 'The messages of a conversation.',
  schema: Message,
});
const messagesNewestFirst = messages.definePagedList({
  item: Message,
  orderBy: 'timestamp',
  descending: true,
});

/**
 * Lists one page of the messages of a conversation, newest first. Messages with the same time are ordered by descending
 * ID. Throws `not-found` if the conversation does not exist, and `permission-denied` if the caller is not a participant.
 */
export async function listMessages(conversationId: string, page: PageRequest, callerId: string) {
  const document = { collection: conversations, document: { conversationId } };
  const conversation = await readDocument(document, ['participantIds']);
  assertRole(conversation, ['participantIds'], callerId, 'conversationId');
  const { items, ...position } = await readPage(messagesNewestFirst, { conversationId }, page);
  return { messages: items, ...position };
}
