import { Store } from '../emulator/firestore/store.ts';
import {
  exampleRequest,
  type ExampleRequest,
  type ExampleWorld,
} from '../support/exampleRequests.ts';
import { FlashListing } from '../../functions/src/flash/flashListing.ts';
import { GalleryPhoto } from '../../functions/src/gallery/galleryPhoto.ts';
import { Message } from '../../functions/src/conversations/message.ts';
import { User } from '../../functions/src/artists/user.ts';
import { makePrograms, type Program, type Programs } from './baselines.ts';
import {
  environmentOf,
  PROJECT,
  startGoogleProcess,
  type GoogleProcess,
  type StandIn,
} from './google.ts';
import { startLoadGenerator, type LoadGenerator } from './load.ts';
import type { Report } from './report.ts';
import type { ServeOptions } from './serving.ts';

/** The shared state of all measurements. */
export interface Bench {
  readonly quick: boolean;
  readonly report: Report;
  readonly programs: Programs;
  readonly google: GoogleProcess;
  /** The documents behind the simulations. */
  readonly store: Store;
  readonly load: LoadGenerator;
  stop(): Promise<void>;
}

/** The owner of most documents: enough of them for a page of 20 that is not the last. */
export const WORLD = { uid: 'artist-alice', prefix: 'things', size: 60 } as const;

/** Prepares all measurements. */
export async function prepare(report: Report, quick: boolean): Promise<Bench> {
  // Stops the Admin SDK from looking for Google's metadata server.
  process.env.METADATA_SERVER_DETECTION = 'none';
  report.step('building, packing and installing what is measured');
  const programs = await makePrograms();
  const google = await startGoogleProcess();
  const store = new Store(google.firestoreAddress, PROJECT);
  const load = startLoadGenerator();
  return {
    ...{ quick, report, programs, google, store, load },
    stop: async () => {
      load.stop();
      google.stop();
      await programs.remove();
    },
  };
}

/** The response fields of a function, so that the baselines select the same ones as the service. */
const FIELDS: Readonly<Record<string, object>> = {
  'artists-list': User.omit({ clientInfo: true, studioInfo: true }).shape,
  'conversations-getMessages': Message.shape,
  'flash-listByArtist': FlashListing.shape,
  'gallery-listByArtist': GalleryPhoto.shape,
};

/** A measured request: its function, and how it differs from the example. */
export interface Measured {
  readonly functionId: string;
  /** The number of documents in a list of ids. */
  readonly size?: number;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parameters of the service; by default nothing is cached. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The example request for a program, and its environment. */
export function optionsFor(
  { functionId, size, query = {}, headers = {}, parameters = {} }: Measured,
  program: Program,
  standIn: StandIn,
  world: ExampleWorld & { readonly uid: keyof StandIn['tokens'] } = WORLD,
): ServeOptions & { readonly example: ExampleRequest } {
  const token = standIn.tokens[world.uid];
  const named = size === undefined ? world : { ...world, size };
  const example = exampleRequest(functionId, named, token, query);
  const fields = Object.keys(FIELDS[functionId] ?? {}).filter((name) => name !== 'id');
  return {
    example: { ...example, headers: { ...example.headers, ...headers } },
    env: {
      ...environmentOf(standIn, program),
      ...{ PUBLIC_CACHE_SECONDS: '0', PAGE_CACHE_SECONDS: '0' },
      ...parameters,
      BENCH_FIELDS: fields.join(),
    },
  };
}
