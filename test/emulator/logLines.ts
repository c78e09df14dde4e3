/** Filters the output of the emulators for `npm start`: one line per request instead of five. */

/** The beginnings of redundant lines. */
const NOISE = [
  /^\s*$/,
  /^i {2}functions: (Beginning execution|Finished|Loaded environment variables)/,
  /^\[hosting\] Rewriting /,
  /^i {2}hosting: \S+ - - \[/,
];

/** A function's log entry for a request. */
interface RequestLine {
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
  const entry = logEntry(line);
  return entry === undefined ? line : entryLine(entry);
}

/** Parses a JSON log entry, which the emulator prints after `>`. */
function logEntry(line: string): RequestLine | undefined {
  const [, json] = /^> {2}(\{.*\})$/.exec(line) ?? [];
  if (json === undefined) return undefined;
  try {
    const entry = JSON.parse(json) as Partial<RequestLine>;
    return typeof entry.message === 'string' ? (entry as RequestLine) : undefined;
  } catch {
    return undefined;
  }
}

function entryLine(entry: RequestLine): string | undefined {
  const { severity, message, httpRequest, latencyMs = 0, requestId = '' } = entry;
  // The request after a preflight has its own line.
  if (httpRequest !== undefined && message.startsWith('OPTIONS ')) return undefined;
  // The message of an error includes its stack trace.
  if (httpRequest === undefined) return `${severity}  ${message}`;
  const { firestoreReads = 0, firestoreWrites = 0 } = entry;
  const level = severity === 'INFO' ? '' : `  ${severity}`;
  return `${message}  ${Math.round(latencyMs)} ms  ${firestoreReads} reads  ${firestoreWrites} writes  ${requestId}${level}`;
}
