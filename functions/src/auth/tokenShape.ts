/** An object that a caller has sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The readable parts of a token. They are not verified: anybody can write them. */
export interface UnverifiedToken {
  readonly header: JsonObject;
  readonly payload: JsonObject;
}

/** Three parts of base64url. The signature is empty in the tokens of the Auth emulator. */
const PARTS = /^([\w-]+)\.([\w-]+)\.[\w-]*$/;
/** Google's key ids have up to 40 characters. */
const MAX_KEY_ID_LENGTH = 128;

/** Decodes a token; undefined unless its header and its payload are JSON objects. */
export function decodedToken(token: string): UnverifiedToken | undefined {
  const parts = PARTS.exec(token);
  const header = jsonObject(parts?.[1]);
  const payload = header && jsonObject(parts?.[2]);
  return payload && { header, payload };
}

/**
 * Whether a token names an algorithm and a key as Google's do, and has not expired. The libraries behind firebase-admin
 * trust the types in a header: a `kid` that is an object makes them fail as if the keys could not be fetched.
 */
export function canBeSigned({ header, payload }: UnverifiedToken): boolean {
  const { alg, kid } = header;
  const { exp } = payload;
  return (
    alg === 'RS256' &&
    typeof kid === 'string' &&
    kid !== '' &&
    kid.length <= MAX_KEY_ID_LENGTH &&
    typeof exp === 'number' &&
    Date.now() < exp * 1000
  );
}

function jsonObject(part = ''): JsonObject | undefined {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}
