/** A document as it is to be stored. */
export interface DemoDocument {
  /** Collection and id, for example `users/artist-mara-voss`. */
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The day on which the demo stands still: 2026-10-01, 10:00 UTC, in ms. */
export const DEMO_NOW = Date.UTC(2026, 9, 1, 10);

/** Lengths of time, in ms. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** One of the choices, the same each time for the same number. */
export function pick<Choices extends readonly [unknown, ...unknown[]]>(
  choices: Choices,
  number: number,
): Choices[number] {
  return choices[number % choices.length];
}

/** A number as three digits, so that ids sort as numbers do. */
export function threeDigits(number: number): string {
  return String(number).padStart(3, '0');
}
