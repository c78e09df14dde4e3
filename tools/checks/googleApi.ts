/** Google's APIs, called as the Firebase CLI calls them: with its sign-in. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../../dev/root.ts';

/** How long one call to Google may take, in ms. */
export const WITHIN_MS = 60_000;

/** Reads from Google's APIs, with this permission; what does not exist, or not yet, is undefined. */
export type ReadGoogle = (address: string, permission: string) => Promise<unknown>;

/** What is used of the Firebase CLI, which has no types. */
interface Cli {
  readonly Command: new (name: string) => CliCommand;
  readonly requireAuth: unknown;
  readonly Client: new (options: { readonly urlPrefix: string; readonly timeout?: number }) => {
    get(path: string, options: { readonly timeout: number }): Promise<{ readonly body: unknown }>;
  };
  readonly getAccessToken: () => Promise<string>;
}
interface CliCommand {
  before(step: unknown): CliCommand;
  action(step: (options: { readonly projectId: string }) => string): CliCommand;
  runner(): (options: { readonly project: string }) => Promise<string>;
}

const load = createRequire(join(ROOT, 'package.json'));

function cli(): Cli {
  return Object.assign(
    {},
    ...['command', 'requireAuth', 'apiv2'].map(
      (name) => load(`firebase-tools/lib/${name}`) as object,
    ),
  ) as Cli;
}

/** Signs in as the CLI does: as its user, or with the Application Default Credentials. Returns the id of the project. */
export async function signIn(project: string): Promise<string> {
  const { Command, requireAuth } = cli();
  const command = new Command('check').before(requireAuth).action(({ projectId }) => projectId);
  return command
    .runner()({ project })
    .catch((error: unknown) => {
      throw new Error((error as Error).message);
    });
}

/** An access token, after `signIn`. */
export function accessToken(): Promise<string> {
  return cli().getAccessToken();
}

/** Reads from Google's APIs, after `signIn`. */
export const readGoogle: ReadGoogle = async (address, permission) => {
  const { Client } = cli();
  const { host, pathname, search } = new URL(`https://${address}`);
  try {
    const client = new Client({ urlPrefix: `https://${host}` });
    return (await client.get(`${pathname}${search}`, { timeout: WITHIN_MS })).body;
  } catch (error) {
    const { status, message, context } = error as CliError;
    // In a project without this API there is nothing of its kind either.
    if (status === 404 || JSON.stringify(context?.body ?? '').includes('SERVICE_DISABLED')) return;
    const lacks = status === 403 ? `The account that is signed in may lack ${permission}. ` : '';
    throw new Error(`${lacks}${message}`, { cause: error });
  }
};

interface CliError {
  readonly status: number;
  readonly message: string;
  readonly context?: { readonly body?: unknown };
}

/** Reads all pages of a list: the elements of the field `name`. */
export async function readAll<Element>(
  read: ReadGoogle,
  address: string,
  name: string,
  permission: string,
): Promise<Element[]> {
  const elements: Element[] = [];
  const first = `${address}${address.includes('?') ? '&' : '?'}pageToken=`;
  let next = '';
  do {
    const page = (await read(`${first}${next}`, permission)) ?? {};
    const { [name]: found = [], nextPageToken = '' } = page as Readonly<Record<string, unknown>>;
    elements.push(...(found as readonly Element[]));
    next = nextPageToken as string;
  } while (next !== '');
  return elements;
}
