import { GoogleAuth } from 'google-auth-library';
import { UserError } from './commandLine.ts';

/** How long one call to Google may take, in ms. */
export const WITHIN_MS = 60_000;

/** Reads from Google's APIs; what does not exist, or not yet, is undefined. */
export type ReadGoogle = (address: string) => Promise<unknown>;

/**
 * The headers of a call with the Application Default Credentials. Those of a user (`gcloud auth application-default
 * login`) need a project that the calls count for.
 */
export function credentials(project: string, scope: 'cloud-platform' | 'datastore') {
  const auth = new GoogleAuth({ scopes: `https://www.googleapis.com/auth/${scope}` });
  return async (): Promise<Record<string, string>> => ({
    Authorization: `Bearer ${await accessToken(auth)}`,
    'x-goog-user-project': project,
  });
}

/** An access token of the Application Default Credentials. */
export async function accessToken(auth: GoogleAuth): Promise<string> {
  const token = await auth.getAccessToken().catch((error: unknown) => {
    const reason = (error as Error).message.replace(/\n[^]*/, '');
    throw new UserError(
      `There are no Google credentials: run gcloud auth application-default login (${reason})`,
    );
  });
  return token ?? '';
}

/** Reads with the Application Default Credentials. */
export function googleReader(project: string): ReadGoogle {
  const headers = credentials(project, 'cloud-platform');
  return async (address) => {
    const response = await fetch(`https://${address}`, {
      headers: await headers(),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    if (response.ok) return response.json();
    const text = await response.text();
    // In a project without this API there is nothing of its kind either.
    if (response.status === 404 || text.includes('SERVICE_DISABLED')) return undefined;
    throw new UserError(`Google returned ${response.status} for https://${address}: ${text}`);
  };
}

/** Reads all pages of a list: the elements of the field `name`. */
export async function readAll<Element>(
  read: ReadGoogle,
  address: string,
  name: string,
): Promise<Element[]> {
  const elements: Element[] = [];
  const first = `${address}${address.includes('?') ? '&' : '?'}pageToken=`;
  let next = '';
  do {
    const page = (await read(`${first}${next}`)) ?? {};
    const { [name]: found = [], nextPageToken = '' } = page as Readonly<Record<string, unknown>>;
    elements.push(...(found as readonly Element[]));
    next = nextPageToken as string;
  } while (next !== '');
  return elements;
}
