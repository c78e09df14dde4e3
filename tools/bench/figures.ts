/** The summary of several measurements of one value. */
export interface Figure {
  readonly median: number;
  /** The median, and the range of all measurements: `0.97 (0.93–1.10)`. */
  readonly text: string;
}

/** Summarizes the measurements of one value. */
export function figureOf(measured: readonly number[], digits = 2): Figure {
  const sorted = measured.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? NaN;
  const middle = (sorted.length - 1) / 2;
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
  const [text = '', least, most] = [median, at(0), at(sorted.length - 1)].map((value) =>
    shownNumber(value, digits),
  );
  return { median, text: least === most ? text : `${text} (${least}–${most})` };
}

/** The ratio of two values that were measured alternately, round by round. */
export function ratioOf(measured: readonly number[], other: readonly number[]): Figure {
  return figureOf(measured.map((value, round) => value / (other[round] ?? NaN)));
}

/** A number with its thousands apart. `Infinity` stands for what a program takes that has died. */
function shownNumber(value: number, digits = 0): string {
  if (value === Infinity) return 'died';
  return value.toFixed(digits).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ' ');
}
