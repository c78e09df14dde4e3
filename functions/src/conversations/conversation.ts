import { FieldPath } from 'firebase-admin/firestore';
import { HttpsError } from 'firebase-functions/https';
import * as z from 'zod';
import { firestore } from '../firestore.ts';
import { readPage, type PagedList, type PageRequest } from '../http/paging.ts';
import { recordReads } from '../http/requestRecord.ts';
import { readDocument, time } from '../storedDocument.ts';

/** A message of a conversation. */
export const Message = z
  .object({
    id: z.string().describe('The id of the message.'),
    senderId: z.string().optional().describe('The user who wrote it.'),
    content: z.string().optional().describe('What was written.'),
    timestamp: time.optional().describe('When it was written, in ms, UTC.'),
    readBy: z.array(z.string()).optional().describe('The users who have read it.'),
    type: z.string().optional().describe('The kind of message.'),
  })
  .meta({ id: 'Message', description: 'A message of a conversation.' });
export type Message = z.infer<typeof Message>;

/**
 * One page of the messages of a conversation that the caller takes part in, newest first. Throws `not-found` where
 * there is no such conversation, `permission-denied` where others have it.
 */
export async function listMessages(conversationId: string, page: PageRequest, caller: string) {
  const conversation = firestore().collection('conversations').doc(conversationId);
  const list = messagesOf(conversation.collection('messages'));
  const named = [
    conversation,
    ...(page.cursor === undefined ? [] : [list.collection.doc(page.cursor)]),
  ];
  recordReads(named.length);
  const [found, last] = await firestore().getAll(...named);
  if (!found?.exists) {
    throw new HttpsError('not-found', 'conversationId names nothing that exists.');
  }
  const participantIds: unknown = found.get('participantIds');
  if (!Array.isArray(participantIds) || !participantIds.includes(caller)) {
    throw new HttpsError('permission-denied', 'You do not take part in this conversation.');
  }
  const { documents, ...position } = await readPage(list, page.limit, last);
  return { messages: documents.map((document) => readDocument(Message, document)), ...position };
}

/** The messages of a conversation, newest first; those of one moment by id. */
function messagesOf(collection: PagedList['collection']): PagedList {
  return {
    collection,
    query: collection.orderBy('timestamp', 'desc').orderBy(FieldPath.documentId(), 'desc'),
    contains: (document) => document.get('timestamp') !== undefined,
  };
}
