/** The errors that functions log while a test file runs: the causes of 500 responses (reportLoggedErrors.ts). */
const loggedErrors: string[] = [];

/** Keeps a line of a function's log if it is an error. */
export function collectLoggedError(line: string): void {
  const error = parseLoggedError(line);
  if (error !== undefined) loggedErrors.push(error);
}

/** Returns the errors since the last call, the oldest first. */
export function takeLoggedErrors(): string[] {
  return loggedErrors.splice(0);
}

/**
 * Returns the message of a line that is an error; undefined for other lines, such as those of requests. The emulators print
 * characters before the JSON.
 */
export function parseLoggedError(line: string): string | undefined {
  if (!line.includes('"severity":"ERROR"')) return undefined;
  const entry = JSON.parse(line.slice(line.indexOf('{'))) as Readonly<Record<string, unknown>>;
  return entry.httpRequest === undefined ? String(entry.message) : undefined;
}
