/** A service of notes, which their authors alone read and change. It uses the packages as any service would. */
import {
  defineCollection,
  createOwned,
  deleteOwned,
  readPage,
  storedTime,
  updateOwned,
} from '@tattoo-marketplace/collections';
import {
  Created,
  documentId,
  defineEndpoint,
  pageFields,
  pageParameters,
  boundedString,
  Success,
  stringParameter,
  booleanParameter,
} from '@tattoo-marketplace/endpoints';
import { HttpsError } from 'firebase-functions/https';
import * as z from 'zod';

const defaultTitle = stringParameter('DEFAULT_TITLE', /^.{1,80}$/, 'a text of 1 to 80 characters', {
  default: 'Untitled',
  description: 'The title of a note that is created without one.',
});
const isReadOnly = booleanParameter('READ_ONLY', 'Whether no note can be created.');

const Note = z.object({
  id: z.string(),
  author: z.string().optional().describe('The user who wrote it.'),
  title: z.string().optional().describe('The title.'),
  createdAt: storedTime.optional().describe('When it was written.'),
});
const stored = defineCollection('notes', { description: 'Notes.', schema: Note, owner: 'author' });
const newestFirst = stored.definePagedList({
  item: Note,
  filterBy: ['author'],
  orderBy: 'createdAt',
  descending: true,
});

const noteId = documentId.describe('The id of the note.');
const title = boundedString(80).describe('The title of the note.');
const named = (id: string) => [{ id, field: 'noteId' }];
const declared = { access: 'signedIn', description: 'Of the caller.', errors: {} } as const;

export const notes = {
  create: defineEndpoint({
    ...declared,
    ...{ method: 'POST', path: '/notes/create', summary: 'Create a note', createsDocument: true },
    body: z.object({ title: title.optional() }),
    response: Created,
    async handle({ body, caller: { uid: caller }, newDocumentId: id }) {
      if (isReadOnly.value()) throw new HttpsError('permission-denied', 'Notes are read-only.');
      const note = { title: body.title ?? defaultTitle.value() };
      return { id: await createOwned({ collection: stored, id, caller }, note, ['createdAt']) };
    },
  }),
  list: defineEndpoint({
    ...declared,
    ...{ method: 'GET', path: '/notes/list', summary: 'List notes, newest first' },
    query: pageParameters({ maxLimit: 50, defaultLimit: 20 }),
    response: z.object({ notes: z.array(Note), ...pageFields }),
    async handle({ query, caller }) {
      const { items, ...position } = await readPage(newestFirst, { author: caller.uid }, query);
      return { notes: items, ...position };
    },
  }),
  rename: defineEndpoint({
    ...declared,
    ...{ method: 'PUT', path: '/notes/rename', summary: 'Rename a note' },
    body: z.object({ noteId, title }),
    response: Success,
    async handle({ body, caller: { uid: caller } }) {
      const owned = { collection: stored, documents: named(body.noteId), caller };
      await updateOwned(owned, () => ({ title: body.title }));
      return { success: true };
    },
  }),
  remove: defineEndpoint({
    ...declared,
    ...{ method: 'DELETE', path: '/notes/remove', summary: 'Remove a note' },
    body: z.object({ noteId }),
    response: Success,
    async handle({ body, caller: { uid: caller } }) {
      await deleteOwned({ collection: stored, documents: named(body.noteId), caller });
      return { success: true };
    },
  }),
};
