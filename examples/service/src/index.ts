/** A service of notes, which only their authors read and change. It uses the packages as any other service would. */
import { HttpsError } from 'firebase-functions/https';
import * as z from 'zod';
import {
  createOwned,
  defineCollection,
  deleteOwned,
  readPage,
  storedTime,
  updateOwned,
} from '@tattoo-marketplace/collections';
import {
  defineBooleanParameter,
  boundedString,
  Created,
  defineEndpoint,
  documentId,
  pageParameters,
  pageResponse,
  defineStringParameter,
} from '@tattoo-marketplace/endpoints';

export { unknownPath } from '@tattoo-marketplace/endpoints';

const defaultTitle = defineStringParameter(
  'DEFAULT_TITLE',
  /^.{1,80}$/,
  'a text of 1 to 80 characters',
  {
    default: 'Untitled',
    description: 'The title of a note that is created without one.',
  },
);
const isReadOnly = defineBooleanParameter('READ_ONLY', 'Whether no note can be created.');

const Note = z.object({
  id: z.string().describe('The id of the note.'),
  author: z.string().optional().describe('The user who wrote it.'),
  title: z.string().optional().describe('The title.'),
  createdAt: storedTime.optional().describe('When it was written.'),
});
const collection = defineCollection('notes', {
  description: 'Notes.',
  schema: Note,
  owner: 'author',
});
const newestFirst = collection.definePagedList({
  item: Note,
  filterBy: ['author'],
  orderBy: 'createdAt',
  descending: true,
});

const noteId = documentId.describe('The id of the note.');
const title = boundedString(80).describe('The title of the note.');

/** Selects a note that the caller must own. */
function selectOwnedNote(noteId: string, callerId: string) {
  return { collection, documents: [{ noteId }], callerId };
}

export const notes = {
  create: defineEndpoint({
    method: 'POST',
    path: '/notes/create',
    access: 'signedIn',
    summary: 'Create a note',
    description: 'Creates a note of the caller.',
    createsDocument: true,
    body: z.object({ title: title.optional() }),
    response: Created,
    errors: { 'permission-denied': 'Notes are read-only.' },
    async handle({ body, caller, newDocumentId }) {
      if (isReadOnly.value()) throw new HttpsError('permission-denied', 'Notes are read-only.');
      const document = { collection, id: newDocumentId, callerId: caller.uid };
      const note = { title: body.title ?? defaultTitle.value() };
      return { id: await createOwned(document, note, ['createdAt']) };
    },
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/notes/list',
    access: 'signedIn',
    summary: 'List notes, newest first',
    description: 'Lists the notes of the caller.',
    query: pageParameters({ maxLimit: 50, defaultLimit: 20 }),
    response: pageResponse('notes', Note),
    async handle({ query, caller }) {
      const { items, ...position } = await readPage(newestFirst, { author: caller.uid }, query);
      return { notes: items, ...position };
    },
  }),
  rename: defineEndpoint({
    method: 'PUT',
    path: '/notes/rename',
    access: 'signedIn',
    summary: 'Rename a note',
    description: 'Changes the title of a note of the caller.',
    body: z.object({ noteId, title }),
    errors: { 'not-found': 'The note does not exist.' },
    handle: ({ body, caller }) =>
      updateOwned(selectOwnedNote(body.noteId, caller.uid), () => ({ title: body.title })),
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/notes/remove',
    access: 'signedIn',
    summary: 'Remove a note',
    description: 'Deletes a note of the caller.',
    body: z.object({ noteId }),
    errors: { 'not-found': 'The note does not exist.' },
    handle: ({ body, caller }) => deleteOwned(selectOwnedNote(body.noteId, caller.uid)),
  }),
};
