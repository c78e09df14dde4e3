import { HttpsError } from 'firebase-functions/https';
import * as z from 'zod';
import { storedTime } from '../fields.ts';
import { getDocuments } from '../documents/database.ts';
import { readPage, type PageRequest } from '../documents/page.ts';
import { documentReader } from '../documents/documentReader.ts';
import { elementsOf, fromValue } from '@tattoo-marketplace/firestore-rest';

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

const messages = documentReader(Message);

/**
 * One page of the messages of a conversation, newest first; messages with the same time by descending id. Throws
 * `not-found` if the conversation does not exist, and `permission-denied` if the caller is not a participant.
 */
export async function listMessages(conversationId: string, page: PageRequest, caller: string) {
  const conversation = `conversations/${conversationId}`;
  await requireParticipant(conversation, caller);
  const { elements, ...position } = await readPage(
    {
      collection: `${conversation}/messages`,
      owner: {},
      where: {},
      orderBy: 'timestamp',
      descending: true,
      reader: messages,
    },
    page,
  );
  return { messages: elements, ...position };
}

async function requireParticipant(conversation: string, caller: string): Promise<void> {
  const [found] = await getDocuments([conversation], ['participantIds']);
  if (found === undefined) {
    throw new HttpsError('not-found', 'conversationId names a document that does not exist.');
  }
  const participantIds = elementsOf(found.fields.participantIds).map(fromValue);
  if (!participantIds.includes(caller)) {
    throw new HttpsError('permission-denied', 'You are not a participant of this conversation.');
  }
}
