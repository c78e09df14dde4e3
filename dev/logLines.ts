/** Filters the output of the emulators for `npm start`: one line per request instead of five. */
import { ROOT } from './root.ts';

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
  /** The message of a 4xx response. */
  readonly refusal?: string;
  /** Where stored values are wrong. */
  readonly examples?: readonly { readonly document: string; readonly field: string }[];
}

/** The readable form of a line; `undefined` for a redundant one. */
export function shownLine(line: string): string | undefined {
  if (NOISE.some((pattern) => pattern.test(line))) return undefined;
  const entry = entryOf(line);
  if (entry === undefined) return line;
  const { severity, message, httpRequest, latencyMs = 0, requestId = '' } = entry;
  if (httpRequest === undefined) {
    const places = entry.examples?.map(({ document, field }) => `\n    ${document}: ${field}`);
    return `${severity}  ${withSourceOnly(message)}${places?.join('') ?? ''}`;
  }
  // The request after a preflight has its own line.
  if (message.startsWith('OPTIONS ')) return undefined;
  const { firestoreReads = 0, firestoreWrites = 0, refusal } = entry;
  const level = severity === 'INFO' ? '' : `  ${severity}`;
  return `${message}  ${Math.round(latencyMs)} ms  ${firestoreReads} reads  ${firestoreWrites} writes  ${requestId}${level}${refusal ? `  ${refusal}` : ''}`;
}

/** A message that may include the stack trace of an error: without places outside the source, unless there are no others. */
function withSourceOnly(message: string): string {
  const isPlace = (line: string) => /^ +at /.test(line);
  const lines = message.replaceAll(`${ROOT}/`, '').split('\n');
  const isOutside = (line: string) =>
    isPlace(line) && /node_modules\/|node:|<anonymous>\)$/.test(line);
  const kept = lines.filter((line) => !isOutside(line));
  return (kept.some(isPlace) ? kept : lines).join('\n');
}

/** A JSON log entry, which the emulator prints after `>`. */
function entryOf(line: string): Entry | undefined {
  const [, json = ''] = /^> {2}(\{.*\})$/.exec(line) ?? [];
  try {
    const entry = JSON.parse(json) as Partial<Entry>;
    return entry.severity && entry.message ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}
