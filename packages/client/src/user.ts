/** The digits of base64url. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * The user of an ID token, to be compared with that of another: a character beyond ASCII stays in its bytes. `undefined`
 * if it is no ID token. Decodes it by hand, because older React Native lacks `atob`.
 */
export function subOf(token: string): string | undefined {
  const [, payload = ''] = token.split('.');
  const bits = Array.from(payload, (digit) => DIGITS.indexOf(digit).toString(2).padStart(6, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const text = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 2)));
  try {
    return (JSON.parse(text) as { readonly sub?: string }).sub;
  } catch {
    return undefined;
  }
}
