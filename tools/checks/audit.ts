/** The parts of what `npm audit --json` writes that count. Without `vulnerabilities` the registry did not answer. */
interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  readonly message?: string;
}

/** Severities that fail the check. */
const SEVERE: ReadonlySet<string> = new Set(['high', 'critical']);

/** The result of an audit as sentences, and whether the check fails. No answer is not the same as no vulnerability. */
export function auditResult(output: string): { isSevere: boolean; sentences: string[] } {
  const { vulnerabilities, message = 'npm wrote no report' } = parse(output);
  if (vulnerabilities === undefined) {
    const unknown = `Vulnerabilities: unknown, because the registry does not answer an audit (${message}).`;
    return { isSevere: false, sentences: [unknown] };
  }
  const found = Object.entries(vulnerabilities);
  const names = found.map(([name, { severity }]) => `${name}: ${severity}`);
  return {
    isSevere: found.some(([, { severity }]) => SEVERE.has(severity)),
    sentences: [`Vulnerabilities: ${found.length === 0 ? 'none known' : found.length}.`, ...names],
  };
}

function parse(output: string): AuditReport {
  try {
    return JSON.parse(output) as AuditReport;
  } catch {
    return {};
  }
}
