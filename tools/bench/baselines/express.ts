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
import * as z from 'zod';
import { Message } from '../../../functions/src/conversations/message.ts';
import { documentId, idList, Success, wholeNumber } from '../../../functions/src/fields.ts';
import { FlashListing } from '../../../functions/src/flash/flashListing.ts';
import { pageFields, pageParameters } from '../../../functions/src/http/pagination.ts';
import { disableDomains } from '../../../functions/src/platform/functionsFramework.ts';
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

/** The work of an endpoint, between the validation of the request and of the response. */
function handler(functionId: string, query: z.ZodObject, body: z.ZodObject, answer: z.ZodObject) {
  return async (request: Request, response: Response) => {
    query.parse(request.query);
    body.parse(request.body ?? {});
    const sent = {
      uid: String(response.locals.uid),
      artistId: documentId.optional().parse(request.params.id) ?? '',
      // The calls expect the query as sent.
      query: request.query as Record<string, string>,
      body: request.body as Record<string, unknown>,
    };
    const found = answer.parse(await WORK[functionId]?.(firestore, sent));
    sendJson(request, response, Buffer.from(JSON.stringify(found)));
  };
}

const none = z.object({});
app.get(
  '/flash/artist/:id/paginated',
  handler(
    'flash-listByArtist',
    pageParameters({ max: 50, fallback: 20 }),
    none,
    z.object({ flash: z.array(FlashListing), total: wholeNumber, ...pageFields }),
  ),
);
app.get(
  '/conversations/get-messages',
  ...[signedIn, limited],
  handler(
    'conversations-getMessages',
    pageParameters({ max: 100, fallback: 50 }).extend({ conversationId: documentId }),
    none,
    z.object({ messages: z.array(Message), ...pageFields }),
  ),
);
app.put(
  '/flash/mark-as-available',
  ...[signedIn, limited],
  handler(
    'flash-markAsAvailable',
    none,
    z.object({ flashIds: idList }),
    z.object({ ...Success.shape, updatedCount: wholeNumber }),
  ),
);
app.post(
  '/notifications/reset-new-notifications',
  ...[signedIn, limited],
  handler('notifications-resetNewNotifications', none, none, Success),
);

export const baseline = onRequest(app);
