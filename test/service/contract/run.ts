/** Plays histories to the service, and holds it to the contract. */
import { randomUUID } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import type { RawResponse } from '../../support/rawRequest.ts';
import { endpoints, placeOf, type Call, type Documents, type Operation, type Place } from './contract.ts';
import { explain, type DirectWrite, type Exchange, type Happening, type Late } from './explain.ts';
import type { Action, Fault, History, Round } from './generator.ts';
import { storedAt } from './stored.ts';
import { numberOf, timeOf } from './values.ts';

/** The service that is held to the contract. */
export interface Service {
  readonly projectId: string;
  /** `host:port` of its Firestore. */
  readonly firestore: string;
  readonly tokenOf: (uid: string) => string;
  readonly send: (
    operation: Operation,
    path: string,
    request: { method: string; headers: Record<string, string>; body?: string },
  ) => Promise<RawResponse>;
  /** Makes faults strike one history, which is told by a part of its ids; returns what ends them. */
  readonly strike?: (faults: readonly Fault[], history: string) => () => Promise<void>;
  /** Whether each operation is served by one instance, which remembers all of its cursors. */
  readonly isOneInstance: boolean;
}

interface Page {
  readonly nextCursor?: string;
  readonly messages?: readonly { readonly id: string; readonly timestamp?: number }[];
}

/** Plays a history; throws an error that shows what the contract does not explain. */
export async function play(history: History, service: Service): Promise<void> {
  const name = randomUUID().slice(0, 8);
  const { stored, rounds } = JSON.parse(JSON.stringify(history).replaceAll('~', `${name}-`)) as History;
  const firestore = storedAt(service.firestore, service.projectId);
  const given = new Map<string, { readonly round: number; readonly place: Place }[]>();
  const last = new Map<string, { tag: string, body: unknown, cursor?: string }>();
  let late: readonly Late[] = [];
  let lines = show('At first', stored);
  await firestore.write(stored);
  let before = stored;
  ...
}
