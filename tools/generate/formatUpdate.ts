import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/** Reads a file, updates its generated part, and returns the formatted text. */
export async function formatUpdate(
  filepath: string,
  update: (file: string) => string,
): Promise<string> {
  const text = update(readFileSync(filepath, 'utf8'));
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}
