import { GoogleAuth } from 'google-auth-library';

/** How long one call may take, in ms. */
const WITHIN_MS = 60_000;

/** Reads from Google's APIs; what does not exist, or not yet, is undefined. */
export type ReadGoogle = (address: string) => Promise<unknown>;

/**
 * Reads with the Application Default Credentials. Those of a user (`gcloud auth application-default login`) need a
 * project that the calls count for.
 */
export function googleReader(project: string): ReadGoogle {
  const auth = new GoogleAuth({ scopes: 'https://www.googleapis.com/auth/cloud-platform' });
  return async (address) => {
    const response = await fetch(`https://${address}`, {
      headers: {
        Authorization: `Bearer ${(await auth.getAccessToken()) ?? ''}`,
        'x-goog-user-project': project,
      },
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    if (response.ok) return response.json();
    const text = await response.text();
    // In a project without this API there is nothing of its kind either.
    if (response.status === 404 || text.includes('SERVICE_DISABLED')) return undefined;
    throw new Error(`Google returned ${response.status} for https://${address}: ${text}`);
  };
}

/** Reads all pages of a list: the elements of the field `name`. */
export async function readAll<Element>(
  read: ReadGoogle,
  address: string,
  name: string,
): Promise<Element[]> {
  const elements: Element[] = [];
  for (let next: string | undefined = ''; next !== undefined;) {
    const page = await read(next === '' ? address : withQuery(address, `pageToken=${next}`));
    const { [name]: found = [], nextPageToken } = (page ?? {}) as Readonly<Record<string, unknown>>;
    elements.push(...(found as readonly Element[]));
    next = nextPageToken as string | undefined;
  }
  return elements;
}

function withQuery(address: string, query: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}
