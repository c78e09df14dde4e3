import { generateKeyPairSync, sign } from 'node:crypto';

/** A signing key and the id of its published public key. */
export type SigningKey = ReturnType<typeof createSigningKey>;

/** Generates a key pair. */
export function createSigningKey(id: string) {
  return { id, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

/** Creates the claims of a valid Firebase ID token (https://firebase.google.com/docs/auth/admin/verify-id-tokens). */
export function createIdTokenClaims(projectId: string, uid: string): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    sub: uid,
    user_id: uid,
    auth_time: now - 10,
    iat: now - 10,
    exp: now + 3600,
  };
}

/** Creates the claims of a valid App Check token. */
export function createAppCheckClaims(projectId: string): Record<string, unknown> {
  return {
    iss: 'https://firebaseappcheck.googleapis.com/1234567890',
    aud: ['projects/1234567890', `projects/${projectId}`],
    sub: '1:1234567890:ios:0123456789abcdef',
    exp: Math.floor(Date.now() / 1000) + 3600,
  };
}

/** Creates a token that is signed with RS256. */
export function signToken(key: SigningKey, claims: unknown): string {
  const content = encodeTokenParts({ alg: 'RS256', kid: key.id, typ: 'JWT' }, claims);
  return `${content}.${sign('sha256', Buffer.from(content), key.privateKey).toString('base64url')}`;
}

/** Creates a token without a signature, like the Auth emulator. */
export function createUnsignedToken(claims: unknown): string {
  return `${encodeTokenParts({ alg: 'none', typ: 'JWT' }, claims)}.`;
}

/** Encodes the first two parts of a token. */
export function encodeTokenParts(header: object, claims: unknown): string {
  return [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
}
