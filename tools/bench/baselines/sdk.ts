/**
 * The SDK floor: a bare handler that makes the service's calls with the Admin SDK and sends JSON, and does nothing
 * else.
 */
import type { HttpFunction } from '@google-cloud/functions-framework';
import { initializeApp } from 'firebase-admin/app';
import { initializeFirestore } from 'firebase-admin/firestore';
import { disableDomains } from '../../../functions/src/platform/functionsFramework.ts';
import { OWNER } from '../fixtures.ts';
import { sendJson } from './json.ts';
import { WORK } from './sdkCalls.ts';

disableDomains();
const preferRest = process.env.BENCH_TRANSPORT === 'REST';
const firestore = initializeFirestore(initializeApp(), { preferRest });
const work = WORK[process.env.BENCH_FUNCTION ?? ''];

export const baseline: HttpFunction = async (request, response) => {
  const query = request.query as Record<string, string>;
  const body = request.body as Record<string, unknown>;
  const sent = { uid: OWNER, artistId: OWNER, query, body };
  sendJson(request, response, Buffer.from(JSON.stringify(await work?.(firestore, sent))));
};
