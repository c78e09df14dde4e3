import { describeError, errorDetails } from '../errors.ts';

/** The codes of errors after which the same request fails again. */
const NON_RETRYABLE: readonly unknown[] = ['invalid-argument', 'permission-denied', 'not-found'];

/** Shows why a view could not be loaded. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isRetryable = !NON_RETRYABLE.includes(errorDetails(error).code);
  return (
    <>
      <h1>This page could not be loaded</h1>
      <p>{describeError(error)}</p>
      {isRetryable && <button onClick={onRetry}>Try again</button>}
    </>
  );
}
