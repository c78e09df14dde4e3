import { parseArgs } from 'node:util';

/**
 * The function that this process serves, such as `flash.reorder`; undefined if it serves none. Like
 * the framework, it prefers the option `--target` to the variable `FUNCTION_TARGET`.
 */
export const functionTarget = readTargetOption() ?? process.env.FUNCTION_TARGET;

function readTargetOption(): string | undefined {
  // Parsing takes time, and a deployed process has no options.
  if (!process.argv.some((argument) => argument.startsWith('--target'))) return undefined;
  const options = { target: { type: 'string' } } as const;
  const { target } = parseArgs({ options, strict: false }).values;
  return typeof target === 'string' ? target : undefined;
}
