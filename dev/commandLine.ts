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

type Values<Options extends Readonly<Record<string, Option>>> = ReturnType<
  typeof parseArgs<{ options: Options }>
>['values'];

/** The values of a command's options. For `--help` and wrong options it prints how to use the command, and ends the process. */
export function readOptions<const Options extends Readonly<Record<string, Option>>>(
  command: string,
  options: Options,
): Values<Options> {
  const usage = usageOf(command, options);
  if (process.argv.slice(2).some((each) => each === '--help' || each === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    const { values, tokens } = parseArgs({ options, tokens: true });
    const given = tokens.flatMap((token) => (token.kind === 'option' ? token.name : []));
    // Only the last one would count.
    const twice = given.find(
      (name, index) => given.indexOf(name) < index && !options[name]?.multiple,
    );
    if (twice !== undefined) throw new Error(`Option '--${twice}' is given twice`);
    return values;
  } catch (error) {
    // Node adds advice that is of no use here.
    const [sentence = ''] = (error as Error).message.split(/\. |\.?\n/);
    console.error(`${sentence.replace(/\.$/, '')}.\n\n${usage}`);
    process.exit(1);
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
