/** Parses the options of command-line tools. */
import { parseArgs } from 'node:util';

/** An option of a command-line tool. */
interface Option {
  readonly type: 'string' | 'boolean';
  /** The placeholder of the value in the help text: `N`. */
  readonly value?: string;
  readonly help: string;
  readonly multiple?: boolean;
}

type Options = Readonly<Record<string, Option>>;

/** Returns the values of the options. For `--help` and for invalid options, it prints a usage text and exits. */
export function parseOptions<const Known extends Options>(command: string, options: Known) {
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
