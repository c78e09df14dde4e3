import { once } from 'node:events';
import { startPart } from './load.ts';
import type { Program } from './baselines.ts';

export const PROJECT = 'demo-bench';

/** The users whose requests are sent. */
export const USERS = ['artist-alice', 'artist-large'] as const;
export type User = (typeof USERS)[number];

/** A stand-in for Google as the process that it runs in tells of it. */
export interface StandIn {
  readonly environment: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<User, string>>;
}

/** What the process tells when it is ready. */
export interface Ready {
  /** `host:port` of the embedded Firestore that stands behind. */
  readonly firestoreAddress: string;
  /** Gives the answers of Firestore again that it has given once, by REST and by gRPC: no database is measured. */
  readonly replaying: StandIn;
  /** Passes each call on. */
  readonly exact: StandIn;
}

/** All of Google, in a process of its own. */
export interface GoogleProcess extends Ready {
  /** How many calls of Firestore the replaying stand-in has had. */
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
 * The environment of a program that asks a stand-in. The stand-in's certificate is not checked: `NODE_EXTRA_CA_CERTS` is
 * read at every start, which takes a tenth of a second that no start on the platform does.
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
