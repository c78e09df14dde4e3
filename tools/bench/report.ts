import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { shown, type Figure } from './figures.ts';

const README = join(import.meta.dirname, 'README.md');
const [BEGIN, END] = [
  '<!-- The figures: npm run bench -- --out FILE -->',
  '<!-- End of the figures -->',
];

/** A text, or a value with its noise. */
export type Cell = string | Figure;

interface Table {
  readonly title: string;
  /** What one must know to read it. */
  readonly note: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A value that must not be larger than its goal. */
interface Goal {
  readonly name: string;
  readonly value: Figure;
  readonly atMost: number;
}

/** The results of a run. */
export interface Run {
  readonly date: string;
  readonly machine: string;
  readonly seconds: number;
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
}

/** Collects the results of a run. */
export class Report {
  readonly #tables: Table[] = [];
  readonly #goals: Goal[] = [];

  /** Shows the progress. */
  step(what: string): void {
    const seconds = (performance.now() / 1000).toFixed(0);
    process.stderr.write(`[${seconds.padStart(4)} s] ${what}\n`);
  }

  table(title: string, note: string, head: readonly string[], rows: Table['rows']): void {
    this.#tables.push({ title, note, head, rows });
  }

  aim(name: string, value: Figure, atMost: number): void {
    this.#goals.push({ name, value, atMost });
  }

  /** Adds the results of a part. */
  add(part: Report): void {
    this.#tables.push(...part.#tables);
    this.#goals.push(...part.#goals);
  }

  run(machine: string): Run {
    const seconds = Math.round(performance.now() / 1000);
    const date = new Date().toISOString().slice(0, 10);
    return { date, machine, seconds, tables: this.#tables, goals: this.#goals };
  }
}

/** The tables and goals of runs as Markdown: of each figure the median of every run, and the range of all. */
export async function markdownOf(runs: readonly Run[]): Promise<string> {
  const [first] = runs;
  if (first === undefined) return '';
  const when = runs.map(({ date, seconds }) => `${date} (${seconds} s)`).join(' and ');
  const parts = [`${when} on ${first.machine}.`];
  first.tables.forEach(({ title, note, head, rows }, table) => {
    const cells = rows.map((cellsOfRow, row) =>
      cellsOfRow.map((cell, column) => {
        const same = runs.map((run) => run.tables[table]?.rows[row]?.[column] ?? '');
        if (typeof cell !== 'string')
          return shown(same.filter((other) => typeof other !== 'string'));
        return [...new Set(same.filter((other) => typeof other === 'string'))].join(', ');
      }),
    );
    parts.push(`### ${title}`, note, tableOf(head, cells));
  });
  const goals = first.goals.map(({ name, atMost }, index) => {
    const values = runs.flatMap(({ goals: all }) => all[index]?.value ?? []);
    const isMet = values.every(({ median }) => median <= atMost);
    return [name, shown(values), String(atMost), isMet ? 'yes' : '**no**'];
  });
  parts.push('### Goals', tableOf(['goal', 'value', 'at most', 'met'], goals));
  return format(parts.join('\n\n'), { ...(await resolveConfig(README)), parser: 'markdown' });
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Adds a run to those in a file, and writes the figures of all of them into the README of this folder. */
export async function publish(run: Run, file: string): Promise<void> {
  const earlier = await readFile(file, 'utf8').catch(() => '[]');
  const runs = [...(JSON.parse(earlier) as Run[]), run];
  await writeFile(file, `${JSON.stringify(runs, null, 2)}\n`);
  const readme = await readFile(README, 'utf8');
  const [before = '', rest = ''] = readme.split(BEGIN);
  const [, after = ''] = rest.split(END);
  const figures = await markdownOf(runs);
  await writeFile(README, `${before}${BEGIN}\n\n${figures}\n${END}${after}`);
}
