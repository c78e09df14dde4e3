/** The floor of a warm request: the same calls of Firestore and the same JSON, and nothing else. */
import type { HttpFunction } from '@google-cloud/functions-framework';
import { initializeApp } from 'firebase-admin/app';
import { initializeFirestore } from 'firebase-admin/firestore';
import { WORK } from './calls.ts';

const firestore = initializeFirestore(initializeApp(), { preferRest: true });
const work = WORK[process.env.BENCH_FUNCTION ?? ''];
/** What the service keeps, a bare handler would keep, too. */
let kept: string | undefined;

export const contender: HttpFunction = async (request, response) => {
  const query = request.query as Record<string, string>;
  const body = request.body as Record<string, unknown>;
  const sent = { uid: 'artist-alice', artistId: 'artist-alice', query, body };
  const text = kept ?? JSON.stringify(await work?.(firestore, sent));
  if (process.env.BENCH_FUNCTION === 'artists-list') kept = text;
  response.type('application/json').send(text);
};
