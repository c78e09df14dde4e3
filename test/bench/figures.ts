/** The summary of several measurements of one value. */
export interface Figure {
  readonly median: number;
  /** The lower and the upper quartile. */
  readonly spread: readonly [number, number];
}

/** The median and the quartiles of measurements. */
export function figureOf(measured: readonly number[]): Figure {
  const sorted = measured.toSorted((a, b) => a - b);
  const at = (part: number) => {
    // Interpolates between two measurements.
    const position = (sorted.length - 1) * part;
    const below = sorted[Math.floor(position)] ?? NaN;
    const above = sorted[Math.ceil(position)] ?? NaN;
    return below + (above - below) * (position % 1);
  };
  return { median: at(0.5), spread: [at(0.25), at(0.75)] };
}

/** The ratio of two values that were measured alternately, round by round. */
export function ratioOf(measured: readonly number[], other: readonly number[]): Figure {
  return figureOf(measured.map((value, round) => value / (other[round] ?? NaN)));
}

/** The distance of the quartiles from the median, relative to it. */
export function relativeSpread({ median, spread: [lower, upper] }: Figure): number {
  return Math.max(median - lower, upper - median) / median;
}

/** A value as shown in a table. */
export function shown({ median, spread }: Figure, digits = 0): string {
  return `${median.toFixed(digits)} (${spread[0].toFixed(digits)} to ${spread[1].toFixed(digits)})`;
}
