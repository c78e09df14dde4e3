import nock from 'nock';
import type { SigningKey } from '../emulator/google/idTokens.ts';

const ORIGIN = 'https://www.googleapis.com';
/** Where Google publishes the keys of ID tokens (https://firebase.google.com/docs/auth/admin/verify-id-tokens). */
const PATH = '/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com';

// It changes Node's own `http`, which the test files of one process share: those that come after must find it as it was.
afterAll(() => {
  nock.restore();
});

/** What stands in for Google's key server. */
export interface KeyServer {
  /** How often it was asked. */
  readonly asked: () => number;
}

/** Answers in place of Google's key server with these keys, until `noKeyServer`. */
export function publishKeys(...keys: readonly SigningKey[]): KeyServer {
  return answerWith(200, () =>
    Object.fromEntries(
      keys.map(({ id, publicKey }) => [id, publicKey.export({ type: 'spki', format: 'pem' })]),
    ),
  );
}

/** Answers in place of Google's key server with a status, until `noKeyServer`. */
export function failKeyServer(status: number): KeyServer {
  return answerWith(status, () => ({ error: 'backend_error' }));
}

/** Answers in place of Google's key server with this body and content type, until `noKeyServer`. */
export function publishInstead(body: string, contentType: string): KeyServer {
  return answerWith(200, () => body, { 'Content-Type': contentType });
}

/** Takes requests in place of Google's key server and never answers, until `noKeyServer`. */
export function hangKeyServer(): void {
  nock(ORIGIN)
    .persist()
    .get(PATH)
    .reply(() => new Promise<never>(() => undefined));
}

/** Lets no key server be reached at all, until `noKeyServer`. */
export function cutKeyServer(): void {
  nock(ORIGIN).persist().get(PATH).replyWithError('connect ECONNREFUSED');
}

/** Takes away what answers in place of Google's key server. */
export function noKeyServer(): void {
  nock.cleanAll();
}

function answerWith(
  status: number,
  body: () => object | string,
  headers: Readonly<Record<string, string>> = {},
): KeyServer {
  let asked = 0;
  nock(ORIGIN)
    .persist()
    .get(PATH)
    .reply(() => {
      asked += 1;
      return [status, body(), { 'Cache-Control': 'public, max-age=3600', ...headers }];
    });
  return { asked: () => asked };
}
