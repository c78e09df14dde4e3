import {
  exampleRequest,
  storeExampleWorld,
  type ExampleRequest,
} from '../../demo/exampleRequests.ts';
import type { Programs } from './programs.ts';
import type { Report } from './report.ts';
import { WORLD, type Simulation } from './simulation.ts';

/** What all measurements share. */
export interface Bench {
  /** A quick run only shows that everything works. */
  readonly quick: boolean;
  readonly report: Report;
  readonly programs: Programs;
  readonly google: Simulation;
}

/** Stores the documents of all requests: some programs have deleted or changed them. */
export async function restore({ google }: Bench): Promise<void> {
  await storeExampleWorld(google.store, WORLD);
}

/** A measured request: its function, and how it differs from the example. */
export interface Measured {
  readonly functionId: string;
  /** The number of documents in a list of ids. */
  readonly size?: number;
  /** Whose documents, if not the usual owner's. */
  readonly owner?: string;
  readonly query?: Readonly<Record<string, string>>;
}

export const PAGE: Measured = { functionId: 'flash-listByArtist', query: { limit: '20' } };

/** The request as it is sent, by the owner of the documents. */
export function requestOf({ google }: Bench, measured: Measured): ExampleRequest {
  const { functionId, size, owner: uid = WORLD.uid, query } = measured;
  const world = { ...WORLD, uid, ...(size && { size }) };
  const example = exampleRequest(functionId, world, google.tokenOf(uid), query);
  // As browsers and apps send it.
  return { ...example, headers: { ...example.headers, 'Accept-Encoding': 'gzip' } };
}
