/**
 * The framework runs each request in a Node domain, to catch errors that nothing else catches. From the first domain on,
 * Node tracks every promise of the process, which takes a quarter of a request's processor time (tools/bench). The
 * endpoints catch their errors themselves, so the framework gets domains that do nothing.
 */
export function disableDomains(): void {
  // The emulator does not load Node's module.
  if (!('domain' in process)) return;
  const domains: { create: unknown } = process.getBuiltinModule('node:domain');
  domains.create = () => ({
    on: () => undefined,
    run: (work: () => void) => {
      work();
    },
  });
}
