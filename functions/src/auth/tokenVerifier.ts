import { verify } from 'node:crypto';
import { sharedFetch } from '../platform/sharedFetch.ts';
import { fetchPublicKeys, type ListedKey } from './publicKeys.ts';

/** The token itself is invalid. */
export class BadTokenError extends Error {}

/** An object that a caller has sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a verified token says. All else in it has no known type. */
export interface Claims extends JsonObject {
  /** The user, or the app. Not empty. */
  readonly sub: string;
  /** When the token expires, in seconds since the epoch. */
  readonly exp: number;
}

/** A kind of token that Google signs. */
export interface TokenKind {
  /** Its plural, for the log. */
  readonly name: string;
  /** Where Google publishes the public keys. */
  readonly keysUrl: string;
  /** Lists the keys in a document from there, which may be any JSON. */
  readonly listKeys: (document: unknown) => readonly ListedKey[];
  /** Whether a payload names the right issuer and audience. */
  readonly isForProject: (payload: JsonObject) => boolean;
}

/**
 * Makes a verifier for a kind of token: a JSON Web Token that is signed with RS256. The verifier throws `BadTokenError`,
 * or `unavailable` if the keys cannot be fetched: an outage at Google must not sign everyone out. A token that Google
 * cannot have signed for this project fetches nothing. The Admin SDK is not used: it reports a failed fetch of keys like
 * an invalid token, and loading it takes a quarter of a cold start.
 */
export function tokenVerifier({
  name,
  keysUrl,
  listKeys,
  isForProject,
}: TokenKind): (token: string) => Promise<Claims> {
  const publicKeys = sharedFetch(`The public keys of ${name}`, async (signal) =>
    fetchPublicKeys(keysUrl, listKeys, signal),
  );

  return async (token) => {
    const [signed = '', header = '', payload = '', signature = ''] =
      PARTS.exec(token)?.slice(1) ?? [];
    const { alg, kid } = jsonObject(header);
    const claims = jsonObject(payload);
    // Only this algorithm: the caller must not choose how a token is verified.
    if (alg !== 'RS256' || typeof kid !== 'string') throw new BadTokenError();
    if (!isCurrent(claims) || !isForProject(claims)) throw new BadTokenError();
    const key = (await publicKeys()).get(kid);
    const isSigned =
      key !== undefined &&
      verify('RSA-SHA256', Buffer.from(signed), key, Buffer.from(signature, 'base64url'));
    if (!isSigned) throw new BadTokenError();
    return claims;
  };
}

/** Three parts of base64url; the first two are signed (https://www.rfc-editor.org/rfc/rfc7515#section-3.1). */
const PARTS = /^(([\w-]+)\.([\w-]+))\.([\w-]+)$/;

/** The JSON object in a part of a token; an empty one if there is none. */
function jsonObject(part: string): JsonObject {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url').toString())) as JsonObject;
  } catch {
    return {};
  }
}

/** Whether a token has a subject and has not expired. */
function isCurrent(claims: JsonObject): claims is Claims {
  const { sub, exp } = claims;
  return (
    typeof sub === 'string' && sub !== '' && typeof exp === 'number' && Date.now() < exp * 1000
  );
}
