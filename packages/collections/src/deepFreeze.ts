/** Makes a value immutable at every level. */
export function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
