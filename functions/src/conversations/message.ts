import * as z from 'zod';
import { FieldError } from '@tattoo-marketplace/endpoints';
import {
  defineCollection,
  type PageRequest,
  readDocument,
  readPage,
  storedTime,
} from '@tattoo-marketplace/collections';
import { getArrayElements, decodePrimitive } from '@tattoo-marketplace/firestore-rest';

export const Message = z
  .object({
    id: z.string().describe('The id of the message.'),
    senderId: z.string().optional().describe('The user who wrote it.'),
    content: z.string().optional().describe('The text of the message.'),
    timestamp: storedTime.optional().describe('When it was written, in ms, UTC.'),
    readBy: z.array(z.string()).optional().describe('The users who have read it.'),
    type: z.string().optional().describe('The kind of message.'),
  })
  .meta({ id: 'Message', description: 'A message of a conversation.' });
export type Message = z.infer<typeof Message>;

export const conversations = defineCollection('conversations', {
  description: 'The participants of conversations.',
  schema: z.object({
    id: z.string(),
    participantIds: z.array(z.string()).optional().describe('The users who may read the messages.'),
  }),
  requiredFields: { participantIds: 'nobody may read its messages' },
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
 * One page of the messages of a conversation, newest first; messages with the same time by descending id. Throws
 * `not-found` if the conversation does not exist, and `permission-denied` if the caller is not a participant.
 */
export async function listMessages(conversationId: string, page: PageRequest, caller: string) {
  await requireParticipant(conversationId, caller);
  const { items, ...position } = await readPage(messagesNewestFirst, { conversationId }, page);
  return { messages: items, ...position };
}

async function requireParticipant(conversationId: string, caller: string): Promise<void> {
  const location = { collection: conversations, id: conversationId };
  const requested = { id: conversationId, field: 'conversationId' };
  const found = await readDocument(location, ['participantIds']);
  if (found === undefined) {
    throw new FieldError('not-found', requested, 'refers to a document that does not exist');
  }
  const participantIds = getArrayElements(found.participantIds).map(decodePrimitive);
  if (!participantIds.includes(caller)) {
    throw new FieldError(
      'permission-denied',
      requested,
      'refers to a conversation that you are not part of',
    );
  }
}
