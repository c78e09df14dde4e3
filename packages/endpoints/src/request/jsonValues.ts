const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const OPEN_BRACKET = '['.charCodeAt(0);
const OPEN_BRACE = '{'.charCodeAt(0);

/**
 * Returns whether JSON contains more than `max` values, without parsing it: counts the characters that
 * start or separate values outside of strings. Every array, object and value in them counts; an
 * empty array or object counts twice. Stops at the first excess value. The result is meaningless
 * for invalid JSON.
 */
export function hasMoreValuesThan(json: Uint8Array, max: number): boolean {
  // Every value after the first needs at least one byte before it.
  if (json.length <= max) return false;
  let values = 1;
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (byte === QUOTE) inString = !inString;
    else if (inString) {
      if (byte === BACKSLASH) index += 1;
    } else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      values += 1;
      if (values > max) return true;
    }
  }
  return false;
}
