import { signOut } from 'firebase/auth';
import { Component, type ReactNode } from 'react';
import { describeError, errorDetails } from '../api/errorMessages.ts';
import { auth } from '../session.ts';
import { QuietButton } from './controls.tsx';

/** The codes of errors after which the same request fails again. */
const NON_RETRYABLE: readonly unknown[] = ['invalid-argument', 'permission-denied', 'not-found'];

type ErrorBoundaryProps = { onRetry: () => void; children: ReactNode };

/** Shows why a view could not be loaded. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error?: unknown }> {
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override state: { error?: unknown } = {};

  override componentDidCatch(error: unknown) {
    if (errorDetails(error).code === 'unauthenticated') void signOut(auth);
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const isRetryable = !NON_RETRYABLE.includes(errorDetails(error).code);
    return (
      <>
        <h1>This page could not be loaded</h1>
        <p>{describeError(error)}</p>
        <p>{isRetryable && <QuietButton onClick={this.props.onRetry}>Try again</QuietButton>}</p>
      </>
    );
  }
}
