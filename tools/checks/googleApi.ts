/** Calls Google's APIs like the Firebase CLI: with its sign-in and its proxy settings. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ROOT } from '../../dev/root.ts';

/** The timeout of a call to Google. */
export const CALL_TIMEOUT_MS = 60_000;

/** Reads a resource or collection; undefined if it does not exist. */
export type ReadGoogle = (address: string) => Promise<unknown>;

/** The parts of the Firebase CLI that the checks use. It has no types. */
interface Cli {
  readonly Command: new (name: string) => CliCommand;
  readonly requireAuth: unknown;
  readonly Client: new (options: { readonly urlPrefix: string; readonly auth?: boolean }) => {
    get(path: string, options: { readonly timeout: number }): Promise<{ readonly body: unknown }>;
    patch(
      path: string,
      body: object,
      options: { readonly timeout: number },
    ): Promise<{ readonly body: Operation }>;
    request(options: CliRequest): Promise<{ readonly response: Response; readonly body: Readable }>;
  };
  readonly getAccessToken: () => Promise<string>;
}
interface CliRequest {
  readonly method: string;
  readonly path: string;
  readonly timeout: number;
  readonly retries: number;
  readonly responseType: 'stream';
  readonly resolveOnHTTPError: boolean;
}
interface CliCommand {
  before(step: unknown): CliCommand;
  action(step: (options: { readonly projectId: string }) => string): CliCommand;
  runner(): (options: { readonly project: string }) => Promise<string>;
}

/** An error of the CLI. `original` is its cause. */
interface CliError {
  readonly message: string;
  readonly status?: number;
  readonly original?: unknown;
}

/** Loads the CLI on first use, because that takes a second. */
function loadCli(): Cli {
  const load = createRequire(join(ROOT, 'package.json'));
  const parts = ['command', 'requireAuth', 'apiv2'].map(
    (name) => load(`firebase-tools/lib/${name}`) as Partial<Cli>,
  );
  return Object.assign({}, ...parts) as Cli;
}

/** Signs in like the CLI: as its user, or with the Application Default Credentials. Returns the id of the project. */
export async function signIn(project: string): Promise<string> {
  const { Command, requireAuth } = loadCli();
  const command = new Command('check').before(requireAuth).action(({ projectId }) => projectId);
  return command.runner()({ project }).catch(throwWithCause);
}

/** Returns an access token. Call `signIn` first. */
export function getAccessToken(): Promise<string> {
  return loadCli().getAccessToken();
}

/** Reads from Google's APIs. Call `signIn` first. */
export const readGoogle: ReadGoogle = async (address) => {
  const { Client } = loadCli();
  const [host = ''] = address.split('/');
  const client = new Client({ urlPrefix: `https://${host}` });
  const call = client.get(address.slice(host.length), { timeout: CALL_TIMEOUT_MS });
  return call.then(
    ({ body }) => body,
    (error: unknown) => ((error as CliError).status === 404 ? undefined : throwWithCause(error)),
  );
};

/** A change that Google makes in the background (https://google.aip.dev/151). */
interface Operation {
  readonly name: string;
  readonly done?: boolean;
  readonly error?: { readonly message: string };
}

/** Changes a resource of Google's APIs. Call `signIn` first. */
export async function patchGoogle(address: string, body: object): Promise<Operation> {
  const { Client } = loadCli();
  const [host = ''] = address.split('/');
  const client = new Client({ urlPrefix: `https://${host}` });
  const call = client.patch(address.slice(host.length), body, { timeout: CALL_TIMEOUT_MS });
  const { body: operation } = await call.catch(throwWithCause);
  return operation;
}

/** Sends a request without a token to a server on the internet. */
export async function fetchPublicly(
  origin: string,
  method: string,
  address: string,
): Promise<Response> {
  const { response, body } = await requestPublicly(origin, method, address);
  body.destroy();
  return response;
}

/** Downloads a file from a server on the internet, without a token; undefined if it does not exist. */
export async function downloadPublicly(
  origin: string,
  address: string,
): Promise<Buffer | undefined> {
  const { response, body } = await requestPublicly(origin, 'GET', address);
  if (response.status === 200) return buffer(body);
  body.destroy();
  if (response.status === 404) return undefined;
  throw new Error(`GET ${origin}${address} returned ${response.status}.`);
}

function requestPublicly(origin: string, method: string, address: string) {
  const { Client } = loadCli();
  const client = new Client({ urlPrefix: origin, auth: false });
  const call = client.request({
    method,
    path: address,
    timeout: CALL_TIMEOUT_MS,
    retries: 0,
    responseType: 'stream',
    resolveOnHTTPError: true,
  });
  return call.catch(throwWithCause);
}

/** Throws an error of the CLI as an expected error. */
function throwWithCause(error: unknown): never {
  const { message, original } = error as CliError;
  throw new Error(message, { cause: original });
}

/** Sends the following calls of the Firestore client through the proxy that the CLI uses. It ignores `NO_PROXY`. */
export function useCliProxy(): void {
  const { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy } = process.env;
  const proxy = [HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy].find(Boolean);
  if (proxy === undefined) return;
  delete process.env.NO_PROXY;
  delete process.env.no_proxy;
  Object.assign(process.env, { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: proxy, https_proxy: proxy });
}
