import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/** Reads a file, updates its generated part, and returns the formatted text. */
export async function formatUpdate(
  filepath: string,
  update: (text: string) => string,
): Promise<string> {
  const updated = update(readFileSync(filepath, 'utf8'));
  return format(updated, { ...(await resolveConfig(filepath)), filepath });
}
