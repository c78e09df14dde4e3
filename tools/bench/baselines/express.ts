/**
 * A typical hand-written backend: an Express app with the features of the service (CORS, ID tokens, a rate limit per
 * user, validation of request and response, a log line), built on well-known packages and the Admin SDK. Like the
 * service it remembers the tokens that it has verified.
 */
import cors from 'cors';
import express, { type NextFunction, type Request, type Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { getFirestore } from 'firebase-admin/firestore';
import { onRequest } from 'firebase-functions/https';
import { logger } from 'firebase-functions/logger';
import { randomUUID } from 'node:crypto';
import { disableDomains } from '../../../functions/src/platform/domain.ts';
import { deployedEndpoints } from '../../../dev/shared/deployMap.ts';
import { sendJson } from './json.ts';
import { WORK } from './sdkCalls.ts';

disableDomains();
const admin = initializeApp();
const firestore = getFirestore(admin);
const app = express();

app.use((request, response, next) => {
  const began = performance.now();
  const requestId = randomUUID();
  response.setHeader('X-Request-Id', requestId);
  response.on('finish', () => {
    const { statusCode: status } = response;
    logger.info(`${request.method} ${status}`, {
      ...{ requestId, status, method: request.method },
      latencyMs: performance.now() - began,
    });
  });
  next();
});
app.use(cors());
app.use(express.json({ limit: '1mb' }));

/** The users of verified tokens, for a run that is shorter than their hour. */
const verified = new Map<string, string>();

const signedIn = async (request: Request, response: Response, next: NextFunction) => {
  const [, token = ''] = (request.headers.authorization ?? '').split(' ');
  const uid = verified.get(token) ?? (await getAuth(admin).verifyIdToken(token)).uid;
  verified.set(token, uid);
  response.locals.uid = uid;
  next();
};

const limited = rateLimit({
  windowMs: 60_000,
  limit: Number(process.env.USER_REQUESTS_PER_MINUTE),
  standardHeaders: 'draft-8',
  legacyHeaders: false,
  keyGenerator: (_request, response) => String(response.locals.uid),
});

for (const { functionId, endpoint } of deployedEndpoints) {
  const { method, path, access, body, query, params, response: schema } = endpoint.declaration;
  const route = path.replace(/\{(\w+)\}/g, ':$1');
  const handle = async (request: Request, response: Response) => {
    const sent = {
      uid: String(response.locals.uid),
      artistId: String(Object.values(params?.parse(request.params) ?? {})[0]),
      // The calls expect the query as sent.
      query: query === undefined ? {} : valid(query, request.query as Record<string, string>),
      body: body === undefined ? {} : valid(body, request.body as Record<string, unknown>),
    };
    const answer = schema.parse(await WORK[functionId]?.(firestore, sent));
    sendJson(request, response, Buffer.from(JSON.stringify(answer)));
  };
  const guards = access === 'signedIn' ? [signedIn, limited] : [];
  app[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](route, ...guards, handle);
}

function valid<Value>(schema: { parse(value: unknown): unknown }, value: Value): Value {
  schema.parse(value);
  return value;
}

export const baseline = onRequest(app);
