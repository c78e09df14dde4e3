/** Expects that a value equals another. The failure shows the label, which says what the value is and what to fix. */
export function expectEqual(label: string, actual: unknown, expected: unknown): void {
  expect({ [label]: actual }).toEqual({ [label]: expected });
}
