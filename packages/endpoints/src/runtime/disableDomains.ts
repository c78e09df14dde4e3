/**
 * Replaces Node's domains with objects that do nothing. The framework runs each request in a domain,
 * to catch errors that nothing else catches. From the first domain on, Node tracks every promise of
 * the process, which slows all of them. The endpoints catch their errors themselves. Without
 * domains, an error that is thrown in a timer or an event listener terminates the process with all
 * its requests.
 */
export function disableDomains(): void {
  // The emulator does not load `node:domain`.
  if (!('domain' in process)) return;
  const domains: { create: unknown } = process.getBuiltinModule('node:domain');
  domains.create = () => ({
    on: () => undefined,
    run: (work: () => void) => {
      work();
    },
  });
}
