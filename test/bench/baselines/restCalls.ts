/** The Firestore REST calls of the limit: `node:https`, keep-alive connections, callbacks. */
import { request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';

const PROJECT = process.env.GCLOUD_PROJECT ?? '';
const ROOT = `projects/${PROJECT}/databases/(default)/documents`;
const agent = new Agent({ keepAlive: true, proxyEnv: process.env });

let authorization: string | undefined;

/** The full resource name of a document. */
export function nameOf(path: string): string {
  return `${ROOT}/${path}`;
}

/** Makes a call; `done` gets the raw bytes of the response. */
export function call(
  method: string,
  parent: string,
  body: object,
  done: (answer: Buffer) => void,
): void {
  withToken((bearer) => {
    const text = JSON.stringify(body);
    const headers = {
      Authorization: bearer,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    };
    const path = `/v1/${ROOT}${parent}:${method}`;
    request(
      { host: 'firestore.googleapis.com', path, method: 'POST', agent, headers },
      (response) => {
        collect(response, (answer) => {
          if (response.statusCode !== 200) throw new Error(answer.toString());
          done(answer);
        });
      },
    ).end(text);
  });
}

/** The metadata server's access token, fetched once. */
function withToken(done: (bearer: string) => void): void {
  if (authorization !== undefined) {
    done(authorization);
    return;
  }
  const url = `http://${process.env.GCE_METADATA_HOST ?? ''}/computeMetadata/v1/instance/service-accounts/default/token`;
  plainRequest(url, { headers: { 'Metadata-Flavor': 'Google' } }, (response) => {
    collect(response, (answer) => {
      const { access_token: token } = JSON.parse(answer.toString()) as { access_token: string };
      authorization = `Bearer ${token}`;
      done(authorization);
    });
  }).end();
}

function collect(response: NodeJS.ReadableStream, done: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => {
    done(Buffer.concat(chunks));
  });
}
