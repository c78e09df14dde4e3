/** The options of commands that people run. */
import { parseArgs } from 'node:util';

/** An option of a command. */
interface Option {
  readonly type: 'string' | 'boolean';
  /** How the help names its value: `N`. */
  readonly value?: string;
  readonly help: string;
  readonly multiple?: boolean;
}

type Options = Readonly<Record<string, Option>>;

/** The values of a command's options. For `--help` and wrong options it prints how to use the command, and ends the process. */
export function readOptions<const Known extends Options>(command: string, options: Known) {
  const lines = Object.entries<Option>({
    ...options,
    help: { type: 'boolean', help: 'print this' },
  }).map(([name, { value = '', help }]) => `  ${`--${name} ${value}`.padEnd(16)} ${help}\n`);
  const usage = `${command}\n\n${lines.join('')}`;
  if (process.argv.includes('--help')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exit(1);
  }
}
