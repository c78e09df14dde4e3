/** Google's APIs, called as the Firebase CLI calls them: with its sign-in. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../../dev/root.ts';

/** How long one call to Google may take, in ms. */
export const CALL_TIMEOUT_MS = 60_000;

/** Reads from Google's APIs; what does not exist is undefined. */
export type ReadGoogle = (address: string) => Promise<unknown>;

/** What is used of the Firebase CLI, which has no types. */
interface Cli {
  readonly Command: new (name: string) => CliCommand;
  readonly requireAuth: unknown;
  readonly Client: new (options: { readonly urlPrefix: string }) => {
    get(path: string, options: { readonly timeout: number }): Promise<{ readonly body: unknown }>;
  };
  readonly getAccessToken: () => Promise<string>;
}
interface CliCommand {
  before(step: unknown): CliCommand;
  action(step: (options: { readonly projectId: string }) => string): CliCommand;
  runner(): (options: { readonly project: string }) => Promise<string>;
}

/** Loads the CLI, which takes a second, when it is used. */
function cli(): Cli {
  const load = createRequire(join(ROOT, 'package.json'));
  const parts = ['command', 'requireAuth', 'apiv2'].map(
    (name) => load(`firebase-tools/lib/${name}`) as Partial<Cli>,
  );
  return Object.assign({}, ...parts) as Cli;
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
export const readGoogle: ReadGoogle = async (address) => {
  const { Client } = cli();
  const [host = ''] = address.split('/');
  const client = new Client({ urlPrefix: `https://${host}` });
  try {
    return (await client.get(address.slice(host.length), { timeout: CALL_TIMEOUT_MS })).body;
  } catch (error) {
    const { status, message } = error as { readonly status?: number; readonly message: string };
    if (status === 404) return undefined;
    throw new Error(message, { cause: error });
  }
};
