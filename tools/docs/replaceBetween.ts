/** A text with another part between two of its lines; throws if it lacks them. */
export function replaceBetween(text: string, start: string, end: string, part: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`"${start}" and "${end}" are missing.`);
  return `${text.slice(0, from + start.length)}${part}${text.slice(to)}`;
}
