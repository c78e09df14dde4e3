/**
 * `npm run gcp-build`: keeps what V8 has compiled of the bundle, so that a new instance need not. The platform runs this
 * script by itself when the functions are deployed, with the Node version that will run them.
 *
 * V8 compiles a function when it is first called: so each of the service's is called once before, as a request would,
 * with a stand-in for all of Google that the service asks. Nothing leaves this machine.
 */
import { http as serve } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';
import { crc32 } from 'node:zlib';

const LIB = join(import.meta.dirname, 'lib');
const PROJECT = 'demo-code-cache';
const DATABASE = `projects/${PROJECT}/databases/(default)`;
const ID = 'alice';
const TIME = '2026-01-01T00:00:00Z';
const TRANSACTION = Buffer.from('transaction').toString('base64');

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** What Google answers to a request, by the last word of its path. */
const ANSWERS = {
  token: { access_token: 'token', expires_in: 3600, token_type: 'Bearer' },
  'project-id': PROJECT,
  'securetoken@system.gserviceaccount.com': {
    key: publicKey.export({ type: 'spki', format: 'pem' }),
  },
  runQuery: [{ document: storedDocument(), readTime: TIME }],
  runAggregationQuery: [
    { result: { aggregateFields: { aggregate_0: { integerValue: '2' } } }, readTime: TIME },
  ],
  beginTransaction: { transaction: TRANSACTION },
  commit: { writeResults: [{ updateTime: TIME }], commitTime: TIME },
  rollback: {},
};

/** A document that each endpoint finds fit: it is everybody's. */
function storedDocument(name = `${DATABASE}/documents/things/${ID}`) {
  const session = { mapValue: { fields: { sessionNumber: { integerValue: '1' } } } };
  return {
    name,
    fields: {
      artistId: { stringValue: ID },
      isVisible: { booleanValue: true },
      order: { integerValue: '1' },
      timestamp: { integerValue: '1' },
      userType: { stringValue: 'artist' },
      participantIds: { arrayValue: { values: [{ stringValue: ID }] } },
      sessions: { arrayValue: { values: [session] } },
    },
    createTime: TIME,
    updateTime: TIME,
  };
}

/** Requests that are answered with 200, by the names of the functions. */
const REQUESTS = {
  'artists.list': {},
  'availability.updateAvailability': {
    body: {
      artistId: ID,
      availabilityId: ID,
      isActive: true,
      weeklySlots: { Monday: [{ startTime: '10:00' }] },
      dateRangeType: 'rolling',
      rollingDays: 7,
      effectiveFrom: 1,
      createdAt: 1,
      updatedAt: 1,
    },
  },
  'bookings.deleteSession': { body: { bookingId: ID, sessionNumber: 1 } },
  'conversations.getMessages': { query: `?conversationId=${ID}&cursor=${ID}&limit=1` },
  'flash.listByArtist': { query: `?cursor=${ID}&limit=1` },
  'flash.markAsAvailable': { body: { flashIds: [ID] } },
  'flash.markAsUnavailable': { body: { flashIds: [ID] } },
  'flash.reorder': { body: { flashUpdates: [{ id: ID, order: 1 }] } },
  'gallery.listByArtist': { query: '?limit=1' },
  'gallery.removePhotos': { body: { photoIds: [ID] } },
  'notifications.resetNewNotifications': {},
  'unavailableEvents.editUnavailableEvent': {
    body: { id: ID, title: 'Away', date: 1, startTime: 1, endTime: 2 },
  },
};

const [name] = process.argv.slice(2);
if (name === undefined) makeAll();
else await make(name, REQUESTS[name]);

/** Makes the cache of each function in a process of its own: V8 keeps what that function has run, and no more. */
function makeAll() {
  for (const each of Object.keys(REQUESTS)) {
    const env = { ...process.env, FUNCTION_TARGET: each };
    execFileSync(process.execPath, [import.meta.filename, each], { env, stdio: 'inherit' });
  }
}

/** Loads a function, has it answer its request, and writes what V8 has compiled meanwhile. */
async function make(target, request) {
  Object.assign(process.env, {
    GCLOUD_PROJECT: PROJECT,
    NODE_ENV: 'production',
    METADATA_SERVER_DETECTION: 'assume-present',
  });
  for (const variable of ['FIRESTORE_EMULATOR_HOST', 'GOOGLE_APPLICATION_CREDENTIALS']) {
    delete process.env[variable];
  }
  // The line of the request.
  console.info = () => undefined;
  const google = await listening(http.createServer(answerAsGoogle));
  const direct = http.request;
  for (const protocol of [http, https]) {
    protocol.request = ({ path, method, headers }, onResponse) =>
      direct({ port: google.port, path, method, headers }, onResponse);
  }
  let script;
  vm.Script = class extends vm.Script {
    constructor(...parameters) {
      super(...parameters);
      script ??= this;
    }
  };
  const functions = createRequire(import.meta.url)(join(LIB, 'index.cjs'));
  const [group, own] = target.split('.');
  await warm(functions[group][own], request, direct);

  const code = script.createCachedData();
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(code, crc32(readFileSync(join(LIB, 'service.cjs')))));
  writeFileSync(join(LIB, `${target}.cache`), Buffer.concat([checksum, code]));
  console.log(`lib/${target}.cache: ${code.length} bytes`);
  process.exit();
}

/** Serves a function, and sends it a request. */
async function warm(deployed, { query = '', body }, direct) {
  serve('warmed', deployed);
  const { port } = await listening(getTestServer('warmed'));
  const { method, path } = deployed.declaration;
  const text = body && JSON.stringify(body);
  const sent = direct({
    port,
    method,
    path: `${path.replace(/\{\w+\}/, ID)}${query}`,
    headers: {
      Authorization: `Bearer ${idToken()}`,
      ...(text && { 'Content-Type': 'application/json', 'Content-Length': text.length }),
    },
  });
  sent.end(text);
  const [answer] = await once(sent, 'response');
  if (answer.statusCode !== 200) throw new Error(`It answered ${answer.statusCode}.`);
  await once(answer.resume(), 'end');
}

function idToken() {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: `https://securetoken.google.com/${PROJECT}`,
    aud: PROJECT,
    sub: ID,
    auth_time: now,
    iat: now,
    exp: now + 3600,
  };
  const content = [{ alg: 'RS256', kid: 'key', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
}

async function answerAsGoogle(request, response) {
  const chunks = await Array.fromAsync(request);
  const { pathname } = new URL(request.url, 'http://google');
  const word = /[^/:]*$/.exec(pathname)[0];
  const answer = word === 'batchGet' ? batch(JSON.parse(Buffer.concat(chunks))) : ANSWERS[word];
  if (answer === undefined) console.error(`The stand-in has no answer for ${pathname}`);
  response.writeHead(answer === undefined ? 404 : 200, {
    'Content-Type': 'application/json',
    'Metadata-Flavor': 'Google',
  });
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
}

function batch({ documents, newTransaction }) {
  const found = documents.map((name) => ({ found: storedDocument(name), readTime: TIME }));
  return newTransaction ? [{ transaction: TRANSACTION, readTime: TIME }, ...found] : found;
}

/** Listens on a free port of this machine. */
async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address();
}
