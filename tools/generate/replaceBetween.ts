/** Replaces the text between two markers. Throws if a marker is missing. */
export function replaceBetween(text: string, start: string, end: string, content: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`"${start}" and "${end}" are missing.`);
  return `${text.slice(0, from + start.length)}${content}${text.slice(to)}`;
}
