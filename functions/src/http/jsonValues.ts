const [QUOTE, BACKSLASH, COMMA, LIST, MAP] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * Whether JSON has more than so many values: each list, each map and each value in them, an empty list or map as two.
 * Counting takes a small part of the time that parsing takes, no memory, and ends at the first one too many. What is no
 * JSON is counted somehow.
 */
export function hasMoreValues(json: Uint8Array, max: number): boolean {
  // Each value but the first needs a byte of its own before it.
  if (json.length <= max) return false;
  let values = 1;
  let isInText = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) {
      if (byte === BACKSLASH) index += 1;
    } else if (byte === COMMA || byte === LIST || byte === MAP) {
      values += 1;
      if (values > max) return true;
    }
  }
  return false;
}
