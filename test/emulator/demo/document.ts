/** A document to store. */
export interface DemoDocument {
  /** Collection and id, for example `users/artist-mara-voss`. */
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The present of the demo: 2026-10-01, 10:00 UTC, in ms. */
export const DEMO_NOW = Date.UTC(2026, 9, 1, 10);

/** Lengths of time, in ms. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Chooses an element by number, repeating the list. */
export function pick<Choices extends readonly [unknown, ...unknown[]]>(
  choices: Choices,
  number: number,
): Choices[number] {
  return choices[number % choices.length];
}

/** A number with three digits, so that ids sort like numbers. */
export function threeDigits(number: number): string {
  return String(number).padStart(3, '0');
}
