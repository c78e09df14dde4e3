import { GoogleAuth } from 'google-auth-library';
import { UserError } from './commandLine.ts';

/** How long one call to Google may take, in ms. */
export const WITHIN_MS = 60_000;

/** Reads from Google's APIs; what does not exist, or not yet, is undefined. */
export type ReadGoogle = (address: string) => Promise<unknown>;

/** Calls Google's APIs: without a body it reads. */
export type CallGoogle = (address: string, body?: object) => Promise<unknown>;

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

/** Calls Google's APIs with the Application Default Credentials. */
export function googleCaller(project: string): CallGoogle {
  const auth = new GoogleAuth({ scopes: 'https://www.googleapis.com/auth/cloud-platform' });
  return async (address, body) => {
    const response = await fetch(`https://${address}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        Authorization: `Bearer ${await accessToken(auth)}`,
        // Calls with a user's credentials need a project that they count for.
        'x-goog-user-project': project,
        'Content-Type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
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
