/** What `npm start` shows of what the emulators print. They print five lines a request; one is enough. */

/** How a line begins that says no more than the function's own line about its request, or than `npm start` itself. */
const NOISE = [
  /^\s*$/,
  /^i {2}functions: (Beginning execution|Finished|Loaded environment variables)/,
  /^\[hosting\] Rewriting /,
  /^i {2}hosting: \S+ - - \[/,
];

/** What a function logs about a request. */
interface RequestLine {
  readonly severity: string;
  readonly message: string;
  readonly httpRequest?: object;
  readonly latencyMs?: number;
  readonly firestoreReads?: number;
  readonly firestoreWrites?: number;
  readonly requestId?: string;
}

/** A line as a person wants to read it; `undefined` for one that says nothing new. */
export function shownLine(line: string): string | undefined {
  if (NOISE.some((pattern) => pattern.test(line))) return undefined;
  const entry = logEntry(line);
  return entry === undefined ? line : entryLine(entry);
}

/** What a function has logged as JSON, which the emulator prints after `>`. */
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
  // A preflight comes before a request, which has a line of its own.
  if (httpRequest !== undefined && message.startsWith('OPTIONS ')) return undefined;
  // The stack of a fault is part of its message.
  if (httpRequest === undefined) return `${severity}  ${message}`;
  const { firestoreReads = 0, firestoreWrites = 0 } = entry;
  const level = severity === 'INFO' ? '' : `  ${severity}`;
  return `${message}  ${Math.round(latencyMs)} ms  ${firestoreReads} reads  ${firestoreWrites} writes  ${requestId}${level}`;
}
