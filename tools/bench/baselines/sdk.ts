/** A bare handler that makes the service's calls with the Admin SDK and sends JSON, and does nothing else. */
import type { HttpFunction } from '@google-cloud/functions-framework';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { constants, gzipSync } from 'node:zlib';
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
  const json = Buffer.from(JSON.stringify(await work?.(firestore, { query, body })));
  // Compressed from 1 KiB and on this thread, like the service. Not response.json, which computes an ETag.
  const isCompressed = json.length >= 1024;
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
  response
    .setHeader('Content-Type', 'application/json')
    .end(isCompressed ? gzipSync(json, { level: constants.Z_BEST_SPEED }) : json);
};
