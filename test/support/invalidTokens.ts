import { createHmac } from 'node:crypto';
import { encoded, signedToken, type SigningKey } from '../../dev/google/idTokens.ts';

/** A token that Google cannot have signed for this project, and what is wrong with it. */
type InvalidToken = [what: string, token: string];

/**
 * Tokens whose header or payload is wrong, with valid claims otherwise, and where possible signed with a valid key. They
 * are invalid whatever the public keys are.
 */
export function malformedTokens(key: SigningKey, claims: object): InvalidToken[] {
  const token = signedToken(key, claims);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const withHeader = (more: object): string =>
    `${encoded({ alg: 'RS256', kid: key.id, typ: 'JWT', ...more }, claims)}.${signature}`;
  const part = (text: string): string => Buffer.from(text).toString('base64url');
  return [
    ['nonsense', 'nonsense'],
    ['with parts that are not JSON', 'a.b.c'],
    ['with empty parts', '..'],
    ['with two parts', `${header}.${payload}`],
    ['with four parts', `${token}.${signature}`],
    ['with another character before it', `~${token}`],
    ['with characters of another base64', `${header}.${payload}+.${signature}`],
    ['with null as its header', `${part('null')}.${payload}.${signature}`],
    ['with a list as its header', `${part('[]')}.${payload}.${signature}`],
    ['with an unfinished payload', `${header}.${part('{')}.${signature}`],
    ...[null, [], 'text', 1].map((value): InvalidToken => [
      `with ${JSON.stringify(value)} as its payload`,
      signedToken(key, value),
    ]),
    ...[{ toString: 1, valueOf: 1 }, {}, ['key-1'], null, 1, true, '', 'k'.repeat(129)].map(
      (kid): InvalidToken => [
        `with the key id ${JSON.stringify(kid).slice(0, 30)}`,
        withHeader({ kid }),
      ],
    ),
    ['without a key id', withHeader({ kid: undefined })],
    ...[{ toString: 1 }, null, 'none', 'RS512', 'ES256', 'rs256'].map((alg): InvalidToken => [
      `with the algorithm ${JSON.stringify(alg)}`,
      withHeader({ alg }),
    ]),
    ['that is unsigned', `${encoded({ alg: 'none', kid: key.id, typ: 'JWT' }, claims)}.`],
    ['that is signed with the public key as a secret', signedWithPublicKey(key, claims)],
    ...[1, '9999999999', null, undefined].map((exp): InvalidToken => [
      `that expires at ${exp}`,
      signedToken(key, { ...claims, exp }),
    ]),
    ['for another project', signedToken(key, { ...claims, aud: ['projects/other', 'other'] })],
    ['from another issuer', signedToken(key, { ...claims, iss: 'https://example.com/' })],
    ['from no issuer', signedToken(key, { ...claims, iss: null })],
  ];
}

/** Tokens that look valid, but are not signed with the key that they name. */
export function forgedTokens(key: SigningKey, other: SigningKey, claims: object): InvalidToken[] {
  const [header = '', payload = '', signature = ''] = signedToken(key, claims).split('.');
  const [, changed = ''] = encoded({}, { ...claims, sub: 'bob' }).split('.');
  return [
    ['with an unknown key', signedToken(other, claims)],
    ['with a key id that every object has', signedToken({ ...key, id: 'toString' }, claims)],
    ['signed with another key than it names', signedToken({ ...other, id: key.id }, claims)],
    ['changed after signing', `${header}.${changed}.${signature}`],
    ['without a signature', `${header}.${payload}.`],
  ];
}

/** A token signed with HS256, and the public key as the secret (algorithm confusion). */
function signedWithPublicKey(key: SigningKey, claims: object): string {
  const content = encoded({ alg: 'HS256', kid: key.id, typ: 'JWT' }, claims);
  const secret = key.publicKey.export({ type: 'spki', format: 'pem' });
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}
