/**
 * The Functions Framework runs each request in a Node domain, to catch errors that nothing else catches. From the first
 * domain on, Node tracks every promise of the process, which takes a quarter of a request's processor time
 * (test/bench). The endpoints catch their errors themselves, so the framework gets a domain that does nothing.
 */
interface Domains {
  create: () => { on: () => void; run: (work: () => void) => void };
}

/** Gives the framework domains that do nothing. The emulator does not load Node's module. */
export function disableDomains(): void {
  if (!('domain' in process)) return;
  const domains = process.getBuiltinModule('node:domain') as unknown as Domains;
  domains.create = () => ({
    on: () => undefined,
    run: (work) => {
      work();
    },
  });
}
