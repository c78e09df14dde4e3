/** The work of a request whose client disconnects. */
import { request } from 'node:http';
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { defineCollection } from './defineCollection.ts';
import { updateOwned } from './updateOwned.ts';
import { useFunctionsEnvironment } from '../../../test/support/jest/isolateEnvironment.ts';
import {
  respondCommit,
  respondBatchGet,
  parseMethod,
  respondError,
  useStubFirestore,
} from '../../../test/support/google/stubFirestore.ts';
import { neverRespond, type Responder } from '../../../test/support/google/stubServer.ts';
import {
  useServedEndpoint,
  DOC_PLACEHOLDERS,
} from '../../../test/support/processes/servedEndpoint.ts';

useFunctionsEnvironment('demo-leaving', { DEADLINE_SECONDS: '30' });
const firestore = useStubFirestore();

const things = defineCollection('things', {
  description: 'Things of this test.',
  schema: z.object({ id: z.string(), n: z.int().optional().describe('A field of this test.') }),
});

const OWN_THING = {
  collection: things,
  documents: [{ id: 'a' }],
  callerId: 'a',
  ownedBy: 'id',
} as const;

let work: Promise<unknown>;

const served = useServedEndpoint(
  defineEndpoint({
    ...DOC_PLACEHOLDERS,
    method: 'POST',
    path: '/change',
    access: 'public',
    response: z.object({}),
    handle: async () => {
      work = updateOwned(OWN_THING, () => ({ n: 1 }));
      await work;
      return {};
    },
  }),
);

const readResponse = respondBatchGet({ 'things/a': {} });
const unavailable = respondError('UNAVAILABLE', 503);
const conflict = respondError('FAILED_PRECONDITION');

test.each<{
  name: string;
  responsesBefore: readonly Responder[];
  responseAfterwards: Responder;
  calls: string[];
  workStatus: string;
  mayHaveWritten: boolean;
}>([
  {
    name: 'a read is aborted',
    responsesBefore: [],
    responseAfterwards: neverRespond,
    calls: ['batchGet'],
    workStatus: 'rejected',
    mayHaveWritten: false,
  },
  {
    name: 'a read that fails is not retried',
    responsesBefore: [],
    responseAfterwards: unavailable,
    calls: ['batchGet'],
    workStatus: 'rejected',
    mayHaveWritten: false,
  },
  {
    name: 'a commit is not aborted',
    responsesBefore: [readResponse],
    responseAfterwards: respondCommit(),
    calls: ['batchGet', 'commit'],
    workStatus: 'fulfilled',
    mayHaveWritten: true,
  },
  {
    name: 'a commit with an unknown outcome is not retried',
    responsesBefore: [readResponse],
    responseAfterwards: unavailable,
    calls: ['batchGet', 'commit'],
    workStatus: 'rejected',
    mayHaveWritten: true,
  },
  {
    name: 'documents are not read again after a conflict',
    responsesBefore: [readResponse],
    responseAfterwards: conflict,
    calls: ['batchGet', 'commit'],
    workStatus: 'rejected',
    mayHaveWritten: true,
  },
])('when the client disconnects, $name, and 499 is logged', async (row) => {
  const { responsesBefore, responseAfterwards, calls, workStatus, mayHaveWritten } = row;
  const logEntry = Promise.withResolvers<unknown>();
  jest.spyOn(logger, 'write').mockImplementation(logEntry.resolve);
  const clientRequest = request(`${served.origin}/change`, { method: 'POST', agent: false });
  clientRequest.on('error', () => undefined);
  const disconnect: Responder = (...call) => {
    clientRequest.destroy();
    void logEntry.promise.then(() => {
      responseAfterwards(...call);
    });
  };
  firestore.setResponses(...responsesBefore, disconnect);

  clientRequest.end();

  expect(await logEntry.promise).toMatchObject({
    severity: 'INFO',
    status: 499,
    httpRequest: { status: 499 },
    mayHaveWritten,
  });
  const [{ status }] = await Promise.allSettled([work]);
  expect(status).toBe(workStatus);
  expect(firestore.requests.map(({ path }) => parseMethod(path))).toEqual(calls);
});
