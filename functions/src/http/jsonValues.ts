const [QUOTE, BACKSLASH, COMMA, LIST, MAP] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * Whether JSON has more than `max` values. Each array, each object and each value in them counts; an empty array or
 * object counts as two. This is much faster than parsing, needs no memory, and stops at the first excess value. The
 * result for invalid JSON has no meaning.
 */
export function hasMoreValues(json: Uint8Array, max: number): boolean {
  // Every value after the first needs at least one byte before it.
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
