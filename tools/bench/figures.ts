/** The summary of several measurements of one value. */
export interface Figure {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** How many decimals are shown. */
  readonly digits: number;
}

/** Summarizes the measurements of one value. */
export function figureOf(measured: readonly number[], digits = 2): Figure {
  const sorted = measured.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? NaN;
  const middle = (sorted.length - 1) / 2;
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
  return { median, min: at(0), max: at(sorted.length - 1), digits };
}

/** The ratio of two values that were measured alternately, round by round. */
export function ratioOf(measured: readonly number[], other: readonly number[]): Figure {
  return figureOf(measured.map((value, round) => value / (other[round] ?? NaN)));
}

/** A number with its thousands apart. */
export function shownNumber(value: number, digits = 0): string {
  return value.toFixed(digits).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ' ');
}

/** A median, and the range of all measurements: `0.97 (0.93–1.10)`. */
export function shown({ median, min, max, digits }: Figure): string {
  const [middle, least, most] = [median, min, max].map((value) => shownNumber(value, digits));
  return least === most ? `${middle}` : `${middle} (${least}–${most})`;
}
