/** Several measurements of one thing. */
export interface Figure {
  readonly median: number;
  /** The lower and the upper quartile. */
  readonly spread: readonly [number, number];
}

/** The median and the quartiles of measurements. */
export function figureOf(measured: readonly number[]): Figure {
  const sorted = measured.toSorted((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
  return { median: at(0.5), spread: [at(0.25), at(0.75)] };
}

/** A figure as a table shows it. */
export function shown({ median, spread }: Figure, digits = 0): string {
  return `${median.toFixed(digits)} (${spread[0].toFixed(digits)} to ${spread[1].toFixed(digits)})`;
}

/** Shows what is being measured, in place where there is a terminal. */
export class Progress {
  readonly #began = performance.now();
  readonly #steps: number;
  #done = 0;

  constructor(steps: number) {
    this.#steps = steps;
  }

  /** One more step begins. */
  step(what: string): void {
    this.#done += 1;
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(0);
    const line = `[${seconds.padStart(4)} s] ${this.#done} of ${this.#steps}: ${what}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${line}`);
    else process.stderr.write(`${line}\n`);
  }
}

/** Prints a table: a row of names, then the rows. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_name, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...others] = rows;
  console.log(`\n### ${title}\n`);
  console.log(line(head));
  console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  for (const row of others) console.log(line(row));
}
