/**
 * The typed client of the tattoo marketplace API. What it can call, and with what, is generated from the API's own
 * document (schema.d.ts); openapi-fetch does the rest.
 */
import createClient from 'openapi-fetch';

export function createMarketplaceClient({ baseUrl, token, fetch }) {
  const client = createClient({ baseUrl, ...(fetch && { fetch }) });
  client.use({
    async onRequest({ request }) {
      const idToken = await token?.();
      if (idToken) request.headers.set('Authorization', `Bearer ${idToken}`);
      return request;
    },
  });
  return client;
}

export function firebaseToken(auth) {
  return async () => auth.currentUser?.getIdToken();
}

export async function* pages(load) {
  let cursor;
  do {
    const { data, error, response } = await load(cursor);
    if (data === undefined) throw new MarketplaceError(response.status, error?.message);
    yield data;
    cursor = data.nextCursor;
  } while (cursor !== undefined);
}

export class MarketplaceError extends Error {
  constructor(status, message) {
    super(message ?? `The API answered ${status}.`);
    this.name = 'MarketplaceError';
    this.status = status;
  }
}
