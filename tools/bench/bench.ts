import { once } from 'node:events';
import { FlashListing } from '../../functions/src/flash/flashListing.ts';
import { Store } from '../../dev/shared/store.ts';
import { exampleRequest, storeExampleWorld } from '../../dev/shared/exampleRequests.ts';
import { storedArtist, storedListing } from '../../dev/shared/factories.ts';
import { exchange, startPart } from './children.ts';
import type { Environment, Ready } from './google.ts';
import type { LoadRequest, LoadResult } from './load.ts';
import { ARTIST, LARGE_OWNER, OWNER, PROJECT } from './names.ts';
import { makePrograms, type Programs } from './programs.ts';
import type { Report } from './report.ts';
import type { ServeOptions } from './serving.ts';

/** The shared state of all measurements. */
export interface Bench extends Ready {
  /** A quick run only shows that everything works. */
  readonly quick: boolean;
  readonly report: Report;
  readonly programs: Programs;
  /** The number of calls of Firestore so far. */
  calls(): Promise<number>;
  load(request: LoadRequest): Promise<LoadResult>;
  /** Stores the documents of all requests: some programs have deleted or changed them. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** The owner of the documents: enough of them for a page of 20 that is not the last. */
const WORLD = { uid: OWNER, prefix: 'things', size: 60 } as const;

/** Prepares all measurements. */
export async function prepare(report: Report, quick: boolean): Promise<Bench> {
  report.step('building and installing what is measured');
  const programs = await makePrograms();
  const google = startPart('google', 'google.ts');
  const [ready] = (await once(google, 'message')) as [Ready];
  const generator = startPart('load', 'load.ts');
  const store = new Store(ready.firestoreAddress, PROJECT);
  const artist = storedArtist({
    ...{ firstName: 'Alice OWN', email: 'OWN@example.com' },
    photoURL: 'https://images.example.com/users/OWN.jpg',
  });
  await store.set(ARTIST, artist);
  const large = Array.from({ length: 20 }, (_, order) => {
    const listing = { artistId: LARGE_OWNER, order, notes: 'Fine lines. '.repeat(4200) };
    return [`flash/large-${order}`, storedListing(listing)] as const;
  });
  await store.setAll(large);
  return {
    ...ready,
    ...{ quick, report, programs },
    calls: async () => (await exchange(google, 'calls')) as number,
    load: async (request) => (await exchange(generator, request)) as LoadResult,
    restore: () => storeExampleWorld(store, WORLD),
    stop: async () => {
      google.kill();
      generator.kill();
      await programs.remove();
    },
  };
}

/** A measured request: its function, and how it differs from the example. */
export interface Measured {
  readonly functionId: string;
  /** The number of documents in a list of ids. */
  readonly size?: number;
  /** Whose documents, if not the usual owner's. */
  readonly owner?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Parameters of the service; by default nothing is cached. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The example request, and the environment of its program: that of the platform, with a simulation of Google. */
export function optionsFor(
  { functionId, size, owner = OWNER, query = {}, parameters = {} }: Measured,
  { token }: Pick<Bench, 'token'>,
  google: Environment,
): ServeOptions {
  const world = { ...WORLD, uid: owner, ...(size && { size }) };
  const example = exampleRequest(functionId, world, token, query);
  return {
    // As browsers and apps send it.
    example: { ...example, headers: { ...example.headers, 'Accept-Encoding': 'gzip' } },
    env: {
      ...google,
      // See proxy.cjs.
      NODE_USE_ENV_PROXY: '0',
      // Reading a certificate takes a tenth of a second that a start on the platform does not take.
      NODE_EXTRA_CA_CERTS: '',
      ...{ NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
      ...{ PUBLIC_CACHE_SECONDS: '0', PAGE_CACHE_SECONDS: '0' },
      USER_REQUESTS_PER_MINUTE: '1000000',
      ...parameters,
      // The SDK selects the same fields as the service.
      BENCH_FIELDS: Object.keys(FlashListing.omit({ id: true }).shape).join(),
    },
  };
}
