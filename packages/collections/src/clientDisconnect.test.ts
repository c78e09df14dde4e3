/** Work that continues after the client has disconnected. */
import { request, type ClientRequest } from 'node:http';
import { logger } from 'firebase-functions/logger';
import * as z from 'zod';
import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { defineCollection } from './defineCollection.ts';
import { updateOwnDocument } from './document.ts';
import { useFunctionsEnvironment } from '../../../dev/testing/functionsEnvironment.ts';
import {
  respondCommit,
  respondBatchGet,
  parseMethod,
  respondError,
  useStubFirestore,
} from '../../../dev/testing/stubFirestore.ts';
import { neverRespond, type Responder } from '../../../dev/testing/stubServer.ts';
import { useServedEndpoint, DOC_PLACEHOLDERS } from '../../../dev/testing/servedEndpoint.ts';

useFunctionsEnvironment('demo-leaving', { DEADLINE_SECONDS: '30' });
const firestore = useStubFirestore();

const things = defineCollection('things', {
  description: 'Things of this test.',
  schema: z.object({ id: z.string(), n: z.int().optional().describe('A field of this test.') }),
});

let work: Promise<unknown>;

const served = useServedEndpoint(
  defineEndpoint({
    ...DOC_PLACEHOLDERS,
    method: 'POST',
    path: '/change',
    access: 'public',
    response: z.object({}),
    handle: async () => {
      const change = { n: { integerValue: '1' } };
      work = updateOwnDocument({ collection: things, caller: 'a' }, ['n'], () => change);
      await work;
      return {};
    },
  }),
);

const read = respondBatchGet({ 'things/a': {} });
const fails = respondError('UNAVAILABLE', 503);
const conflicts = respondError('FAILED_PRECONDITION');

test.each<{
  name: string;
  first: Responder | undefined;
  last: Responder;
  calls: string[];
  end: string;
  mayHaveWritten: boolean;
}>([
  {
    name: 'a read ends',
    first: undefined,
    last: neverRespond,
    calls: ['batchGet'],
    end: 'rejected',
    mayHaveWritten: false,
  },
  {
    name: 'a read that fails is not repeated',
    first: undefined,
    last: fails,
    calls: ['batchGet'],
    end: 'rejected',
    mayHaveWritten: false,
  },
  {
    name: 'a commit is not aborted',
    first: read,
    last: respondCommit(),
    calls: ['batchGet', 'commit'],
    end: 'fulfilled',
    mayHaveWritten: true,
  },
  {
    name: 'a commit with an unknown outcome is not retried',
    first: read,
    last: fails,
    calls: ['batchGet', 'commit'],
    end: 'rejected',
    mayHaveWritten: true,
  },
  {
    name: 'a write is not planned anew',
    first: read,
    last: conflicts,
    calls: ['batchGet', 'commit'],
    end: 'rejected',
    mayHaveWritten: true,
  },
])(
  'when the client disconnects, $name, and 499 is logged',
  async ({ first, last, calls, end, mayHaveWritten }) => {
    const line = Promise.withResolvers<unknown>();
    jest.spyOn(logger, 'write').mockImplementation(line.resolve);
    const sent: ClientRequest[] = [];
    const leaves: Responder = (...call) => {
      sent[0]?.destroy();
      void line.promise.then(() => {
        last(...call);
      });
    };
    firestore.setResponses(...(first ? [first] : []), leaves);

    sent.push(request(`${served.origin}/change`, { method: 'POST', agent: false }));
    sent[0]?.on('error', () => undefined).end();

    expect(await line.promise).toMatchObject({
      severity: 'INFO',
      status: 499,
      httpRequest: { status: 499 },
      mayHaveWritten,
    });
    const [{ status }] = await Promise.allSettled([work]);
    expect(status).toBe(end);
    expect(firestore.requests.map(({ path }) => parseMethod(path))).toEqual(calls);
  },
);
