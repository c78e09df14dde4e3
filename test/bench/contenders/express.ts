/** What one would write by hand: an Express app with the same validation and verification, one function for all. */
import express, { type NextFunction, type Request, type Response } from 'express';
import { initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { initializeFirestore } from 'firebase-admin/firestore';
import { onRequest } from 'firebase-functions/https';
import { deployedEndpoints } from '../../support/deployMap.ts';
import { WORK } from './calls.ts';

const admin = initializeApp();
const firestore = initializeFirestore(admin, { preferRest: true });
const app = express();
app.use(express.json({ limit: '1mb' }));

for (const { functionId, endpoint } of deployedEndpoints) {
  const { method, path, access, body, query, params, response: schema } = endpoint.declaration;
  const route = path.replace(/\{(\w+)\}/g, ':$1');
  const handle = async (request: Request, response: Response, next: NextFunction) => {
    try {
      let uid = '';
      if (access === 'signedIn') {
        const [, token = ''] = (request.headers.authorization ?? '').split(' ');
        ({ uid } = await getAuth(admin).verifyIdToken(token));
      }
      params?.parse(request.params);
      query?.parse(request.query);
      body?.parse(request.body);
      const artistId = String(Object.values(request.params)[0] ?? '');
      const sent = {
        uid,
        artistId,
        query: request.query as Record<string, string>,
        body: request.body as Record<string, unknown>,
      };
      response.json(schema.parse(await WORK[functionId]?.(firestore, sent)));
    } catch (error) {
      next(error);
    }
  };
  app[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](route, handle);
}

export const contender = onRequest(app);
