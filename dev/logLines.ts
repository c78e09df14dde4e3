/** Filters the output of the emulators for `npm start`: one line per request instead of five. */

/** The beginnings of redundant lines. */
const NOISE = [
  /^\s*$/,
  /^i {2}functions: (Beginning execution|Finished|Loaded environment variables)/,
  /^\[hosting\] Rewriting /,
  /^i {2}hosting: \S+ - - \[/,
];

/** A log entry of a function; that of a request has `httpRequest`. */
interface Entry {
  readonly severity: string;
  readonly message: string;
  readonly httpRequest?: object;
  readonly latencyMs?: number;
  readonly firestoreReads?: number;
  readonly firestoreWrites?: number;
  readonly requestId?: string;
}

/** The readable form of a line; `undefined` for a redundant one. */
export function shownLine(line: string): string | undefined {
  if (NOISE.some((pattern) => pattern.test(line))) return undefined;
  const entry = entryOf(line);
  if (entry === undefined) return line;
  const { severity, message, httpRequest, latencyMs = 0, requestId = '' } = entry;
  // The message of an error includes its stack trace.
  if (httpRequest === undefined) return `${severity}  ${message}`;
  // The request after a preflight has its own line.
  if (message.startsWith('OPTIONS ')) return undefined;
  const { firestoreReads = 0, firestoreWrites = 0 } = entry;
  const level = severity === 'INFO' ? '' : `  ${severity}`;
  return `${message}  ${Math.round(latencyMs)} ms  ${firestoreReads} reads  ${firestoreWrites} writes  ${requestId}${level}`;
}

/** A JSON log entry, which the emulator prints after `>`. */
function entryOf(line: string): Entry | undefined {
  const [, json = ''] = /^> {2}(\{"severity":.*"message":.*\})$/.exec(line) ?? [];
  try {
    return JSON.parse(json) as Entry;
  } catch {
    return undefined;
  }
}
