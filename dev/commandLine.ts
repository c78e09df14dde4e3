/** The options of commands that people run. */
import { parseArgs } from 'node:util';

/** An error that its message explains to whoever runs a command, so that it is shown without a stack. */
export class UserError extends Error {}

/** An option of a command. */
interface Option {
  readonly type: 'string' | 'boolean';
  /** How the help names its value: `N`. */
  readonly value?: string;
  readonly help: string;
  readonly multiple?: boolean;
}

type Values<Options extends Readonly<Record<string, Option>>> = ReturnType<
  typeof parseArgs<{ options: Options }>
>['values'];

/**
 * The values of a command's options. `--help` prints how to use the command, and ends the process; for wrong options it
 * throws an error that says so, too.
 */
export function readOptions<const Options extends Readonly<Record<string, Option>>>(
  command: string,
  options: Options,
): Values<Options> {
  const usage = usageOf(command, options);
  if (process.argv.slice(2).includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    // Node adds advice that is of no use here.
    const [sentence = ''] = (error as Error).message.split(/\. |\.?\n/);
    throw new UserError(`${sentence.replace(/\.$/, '')}.\n\n${usage}`);
  }
}

function usageOf(command: string, options: Readonly<Record<string, Option>>): string {
  const lines = Object.entries(options).map(([name, { value, help }]) => {
    return [`--${name}${value === undefined ? '' : ` ${value}`}`, help] as const;
  });
  const all = [...lines, ['--help', 'print this'] as const];
  const width = Math.max(...all.map(([option]) => option.length));
  return `${command}\n\n${all.map(([option, help]) => `  ${option.padEnd(width)}  ${help}`).join('\n')}`;
}
