import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { withPart } from '../docs/generatedPart.ts';
import type { Figure } from './figures.ts';

const README = join(import.meta.dirname, 'README.md');
const [BEGIN, END] = [
  '<!-- The figures: npm run bench -- --write -->',
  '<!-- End of the figures -->',
];

/** A text, or a value with its noise. */
export type Cell = string | Figure;

/** Collects the results of a run. */
export class Report {
  readonly #parts: string[] = [];
  readonly #missed: string[] = [];
  #goals = 0;

  /** Shows the progress. */
  step(what: string): void {
    const seconds = (performance.now() / 1000).toFixed(0);
    process.stderr.write(`[${seconds.padStart(4)} s] ${what}\n`);
  }

  /** Adds a table; `note` is what one must know to read it. */
  table(
    title: string,
    note: string,
    head: readonly string[],
    rows: readonly (readonly Cell[])[],
  ): void {
    const cells = rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? cell : cell.text)),
    );
    this.#parts.push(`### ${title}`, note, tableOf(head, cells));
  }

  /** Adds a value that must not be larger than its goal. */
  aim(name: string, value: Figure, atMost: number): void {
    this.#goals += 1;
    if (!(value.median <= atMost)) this.#missed.push(`- ${name}: ${value.text}, not ${atMost}`);
  }

  /** The tables, and the goals that are missed, as Markdown. */
  async markdown(machine: string): Promise<string> {
    const seconds = Math.round(performance.now() / 1000);
    const when = `${new Date().toISOString().slice(0, 10)}, in ${seconds} s, on ${machine}.`;
    const met = `${this.#goals - this.#missed.length} of ${this.#goals} are met.`;
    const goals = ['### Which goals are met?', met, this.#missed.join('\n')];
    const text = [when, ...this.#parts, ...goals].join('\n\n');
    return format(text, { ...(await resolveConfig(README)), parser: 'markdown' });
  }
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Writes the figures of a run into the README of this folder. */
export async function publish(figures: string): Promise<void> {
  const readme = await readFile(README, 'utf8');
  await writeFile(README, withPart(readme, BEGIN, END, `\n\n${figures}\n`));
}
