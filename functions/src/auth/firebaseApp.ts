import { createServer } from 'node:http';
import { Agent } from 'node:https';
import { duplexPair, type Duplex } from 'node:stream';
import { deleteApp, initializeApp, type App, type AppOptions } from 'firebase-admin/app';
import { metadataTokens } from '@tattoo-marketplace/firestore-rest';
import { projectId } from '../platform/project.ts';

/** Accepted by the API of Firebase Auth, which is only called for revocation checks. */
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** A year: an app with other keys replaces this one earlier. */
const KEYS_HEADERS = { 'Cache-Control': 'max-age=31536000' };

const tokens = metadataTokens(SCOPE);
let created = 0;
let own: App | undefined;

/** The Firebase app that calls Google with the service account of this process. */
export function firebaseApp(): App {
  own ??= newApp({});
  return own;
}

/**
 * Creates a Firebase app that verifies tokens with these keys. The Admin SDK fetches keys by itself, but reports a failed
 * fetch like an invalid token, fetches them once for each concurrent caller, and has no time limit. So this app's
 * requests for keys do not leave the process.
 */
export function firebaseAppWithKeys(document: string): App {
  return newApp({ httpAgent: new KeysAgent(document) });
}

/** Deletes an app, once. Verifications in progress on it still complete. */
export function deleteFirebaseApp(app: App): void {
  void deleteApp(app);
}

/** Connects each request to a server within the process, which responds with a document. */
class KeysAgent extends Agent {
  readonly #server;

  constructor(document: string) {
    super();
    this.#server = createServer((_request, response) => {
      response.writeHead(200, KEYS_HEADERS).end(document);
    });
  }

  override createConnection(): Duplex {
    const [near, far] = duplexPair();
    this.#server.emit('connection', far);
    // Node's client sets a time limit on sockets, which other streams do not have.
    return Object.assign(near, { setTimeout: () => near });
  }
}

function newApp(options: AppOptions): App {
  created += 1;
  const credential = {
    // The SDK caches tokens itself. This lifetime makes it ask each time, which costs nothing.
    getAccessToken: async () => ({ access_token: await tokens.get(), expires_in: 60 }),
  };
  return initializeApp({ projectId: projectId(), credential, ...options }, `app-${created}`);
}
