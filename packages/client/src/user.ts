/** The digits of base64url. */
const BASE64URL_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Reads the `sub` claim of an ID token; `undefined` if the token is not a JWT. Decoded by hand,
 * because older versions of React Native lack `atob`. Non-ASCII characters are not decoded: the
 * result is only compared with other results.
 */
export function readJwtSubject(token: string): string | undefined {
  const [, payload = ''] = token.split('.');
  const bits = Array.from(payload, (digit) =>
    BASE64URL_ALPHABET.indexOf(digit).toString(2).padStart(6, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const text = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 2)));
  try {
    return (JSON.parse(text) as { readonly sub?: string }).sub;
  } catch {
    return undefined;
  }
}
