import { writeFile } from 'node:fs/promises';

/** A goal for a value. */
export interface Goal {
  readonly name: string;
  readonly value: number;
  readonly goal: string;
  readonly met: boolean;
}

/** The results of a run, printed as Markdown tables and written as JSON. */
export class Report {
  readonly #began = performance.now();
  readonly #figures: Record<string, unknown> = {};
  readonly #goals: Goal[] = [];
  readonly #machine: string;

  constructor(machine: string) {
    this.#machine = machine;
    console.log(`${new Date().toISOString().slice(0, 10)}, ${machine}`);
  }

  /** Shows the progress, in one line on a terminal. */
  step(what: string): void {
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(0);
    const line = `[${seconds.padStart(4)} s] ${what}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${line}`);
    else process.stderr.write(`${line}\n`);
  }

  /** Records a value for the JSON. */
  figure(name: string, value: unknown): void {
    this.#figures[name] = value;
  }

  /** Records a goal for a value. NaN does not meet it. */
  aim(name: string, value: number, kind: 'at most' | 'at least', bound: number): void {
    const met = kind === 'at most' ? value <= bound : value >= bound;
    this.#goals.push({
      ...{ name, met },
      value: Math.round(value * 1000) / 1000,
      goal: `${kind} ${bound}`,
    });
  }

  /** Prints a table: the header, then the rows. */
  table(title: string, rows: readonly (readonly string[])[]): void {
    const widths = (rows[0] ?? []).map((_name, column) =>
      Math.max(...rows.map((row) => (row[column] ?? '').length)),
    );
    const line = (row: readonly string[]) =>
      `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
    const [head = [], ...others] = rows;
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
    console.log(`\n### ${title}\n`);
    console.log(line(head));
    console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
    for (const row of others) console.log(line(row));
  }

  printGoals(): void {
    this.table('Goals', [
      ['goal', 'value', 'to be', 'met'],
      ...this.#goals.map(({ name, value, goal, met }) => [
        ...[name, String(value), goal],
        met ? 'yes' : 'NO',
      ]),
    ]);
  }

  async write(file: string): Promise<void> {
    const whole = {
      date: new Date().toISOString(),
      machine: this.#machine,
      seconds: Math.round((performance.now() - this.#began) / 1000),
      figures: this.#figures,
      goals: this.#goals,
    };
    await writeFile(file, `${JSON.stringify(whole, null, 2)}\n`);
  }
}
