/**
 * The typed client of the tattoo marketplace API for browsers, React Native and Node, without dependencies. Its types
 * are generated from the OpenAPI document (schema.ts).
 */
import { call } from './call.ts';
import { OPERATIONS } from './operations.ts';
import { normalizeBaseUrl, type Operation } from './request.ts';
import type { CallOptions, MarketplaceClient, MarketplaceOptions, TokenSource } from './types.ts';

export { MarketplaceError } from './error.ts';
export { applyFlashUpdates, computeFlashUpdates } from './flashOrder.ts';
export { pages, type Pages } from './pages.ts';
export type {
  components,
  FlashListing,
  GalleryPhoto,
  Message,
  operations,
  paths,
  User,
} from './schema.ts';
export type {
  Availability,
  Call,
  Caller,
  CallOptions,
  Day,
  ErrorCode,
  Input,
  MarketplaceClient,
  MarketplaceOptions,
  OperationId,
  Output,
  ServiceErrorCode,
  TokenSource,
} from './types.ts';

/** Creates a client: `client.artists.list()`, `client.flash.reorder({ flashUpdates })`. */
export function createMarketplaceClient(options: MarketplaceOptions): MarketplaceClient {
  const client = { ...options, baseUrl: normalizeBaseUrl(options.baseUrl) };
  const createMethod = (operation: Operation) => (input?: object, callOptions?: CallOptions) =>
    call(operation, input, client, callOptions);
  const groups = mapValues(OPERATIONS, (group) =>
    mapValues<Operation, unknown>(group, createMethod),
  );
  // Both the operations and their types are generated from the declarations of the endpoints.
  return groups as unknown as MarketplaceClient;
}

/**
 * Creates a source of ID tokens of the user who is signed in with Firebase Auth. It waits until Firebase has restored the
 * session of an earlier visit. Firebase renews a token that has expired.
 */
export function firebaseToken(auth: {
  readonly currentUser: { getIdToken(forceRefresh?: boolean): Promise<string> } | null;
  authStateReady?(): Promise<void>;
}): TokenSource {
  return async (forceRefresh) => {
    // After a page reload there is no current user until Firebase has restored the session.
    await auth.authStateReady?.();
    return auth.currentUser?.getIdToken(forceRefresh);
  };
}

function mapValues<Value, Mapped>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
