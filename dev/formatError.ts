/** Formats an error with its causes: `fetch failed: connect ECONNREFUSED 127.0.0.1:9099`. */
export function formatError(error: unknown): string {
  if (!Error.isError(error)) return String(error);
  const message = error.message || formatCauses(error);
  if (error.cause === undefined) return message;
  const cause = formatError(error.cause);
  return message.includes(cause) ? message : `${message.replace(/\.$/, '')}: ${cause}`;
}

/** Formats an error without a message. Node has one such error for a host with several addresses. */
function formatCauses(error: Error): string {
  const { errors = [error.name] } = error as { readonly errors?: readonly unknown[] } & Error;
  return errors.map(formatError).join(', ');
}
