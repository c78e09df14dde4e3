import { signOut } from 'firebase/auth';
import { Component, useEffect, useLayoutEffect, type ReactNode } from 'react';
import { describeError, errorDetails } from '../api/errorMessages.ts';
import type { Loadable } from '../api/usePagedList.ts';
import { useSession } from '../session.ts';
import { QuietButton } from './controls.tsx';

/** The content of a view. Until its data has loaded, the former view stays. */
export function Page({ data = [], children }: { data?: Loadable[]; children: ReactNode }) {
  const { show } = useSession();
  const isLoaded = data.every((each) => each.isLoaded);
  useLayoutEffect(() => {
    if (isLoaded) show();
  }, [isLoaded, show]);
  const failed = data.find((each) => !each.isLoaded && each.error !== undefined);
  return failed ? <LoadingError error={failed.error} /> : isLoaded && children;
}

/** The codes of errors after which the same request fails again. */
const NON_RETRYABLE: readonly unknown[] = ['invalid-argument', 'permission-denied', 'not-found'];

function LoadingError({ error }: { error: unknown }) {
  const { auth, reload } = useSession();
  const { code } = errorDetails(error);
  useEffect(() => {
    if (code === 'unauthenticated') void signOut(auth);
  }, [auth, code]);
  return (
    <Page>
      <h1>This page could not be loaded</h1>
      <p>{describeError(error)}</p>
      {NON_RETRYABLE.includes(code) || (
        <p>
          <QuietButton label="Try again" onClick={reload} />
        </p>
      )}
    </Page>
  );
}

/** Shows the error of a view that cannot be rendered. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override state: { error?: unknown } = {};
  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <LoadingError error={error} />;
  }
}
