import { once } from 'node:events';
import { startPart } from './load.ts';
import type { Program } from './baselines.ts';

export const PROJECT = 'demo-bench';

/** The users of the requests. */
export const USERS = ['artist-alice', 'artist-large'] as const;
export type User = (typeof USERS)[number];

/** A simulation of Google, as seen from another process. */
export interface StandIn {
  readonly environment: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<User, string>>;
}

/** The message of the process when it is ready. */
export interface Ready {
  /** `host:port` of the embedded Firestore behind it. */
  readonly firestoreAddress: string;
  /** Replays Firestore's responses over REST and gRPC, so that no database is measured. */
  readonly replaying: StandIn;
  /** Forwards each call. */
  readonly exact: StandIn;
}

/** All simulated services of Google, in a separate process. */
export interface GoogleProcess extends Ready {
  /** The number of Firestore calls that the replaying simulation has received. */
  calls(): Promise<number>;
  stop(): void;
}

/** Starts the process. */
export async function startGoogleProcess(): Promise<GoogleProcess> {
  const child = startPart('google', 'googleProcess.ts');
  const [ready] = (await once(child, 'message')) as [Ready];
  return {
    ...ready,
    calls: async () => {
      child.send('calls');
      const [calls] = (await once(child, 'message')) as [number];
      return calls;
    },
    stop: () => child.kill(),
  };
}

const LIMITS = { USER_REQUESTS_PER_MINUTE: '1000000' };

/**
 * The environment of a program that uses the simulation. Its certificate is not verified, because `NODE_EXTRA_CA_CERTS`
 * is read at every start, which takes a tenth of a second that a start on the platform does not take.
 */
export function environmentOf(
  { environment }: StandIn,
  { transport }: Program,
  parameters: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const others = Object.entries(environment).filter(([name]) => name !== 'NODE_EXTRA_CA_CERTS');
  return {
    ...Object.fromEntries(others),
    ...LIMITS,
    ...parameters,
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_NO_WARNINGS: '1',
    BENCH_TRANSPORT: transport,
  };
}
