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
    return parseArgs({ args: process.argv.slice(2), options }).values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // npm then takes the names of the options for its own, and passes their values on.
    const hint =
      code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL'
        ? ` PowerShell removes -- unless it is in quotes: ${command.replace(' -- ', ' "--" ')}`
        : '';
    process.stderr.write(`${message}${hint}\n\n${usage}`);
    process.exit(1);
  }
}
