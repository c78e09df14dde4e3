/** A bare handler that makes the service's calls with the Admin SDK and sends JSON, and does nothing else. */
import type { HttpFunction } from '@google-cloud/functions-framework';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { disableDomains } from '../../../functions/src/platform/functionsFramework.ts';
import { WORK } from './sdkCalls.ts';

disableDomains();
const { BENCH_FUNCTION = '', BENCH_GRPC = '', FIRESTORE_PREFER_REST } = process.env;
const firestore = getFirestore(initializeApp());
if (FIRESTORE_PREFER_REST === undefined) firestore.settings({ host: BENCH_GRPC, ssl: true });
const work = WORK[BENCH_FUNCTION];

export const baseline: HttpFunction = async (request, response) => {
  const query = request.query as Record<string, string>;
  const body = request.body as Record<string, unknown>;
  const json = JSON.stringify(await work?.(firestore, { query, body }));
  // Not response.json, which computes an ETag.
  response.setHeader('Content-Type', 'application/json').end(json);
};
