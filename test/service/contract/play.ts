/** Plays histories to the service, and fails where the contract does not explain what it does. */
import { randomUUID } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import type { RawResponse } from '../../support/rawRequest.ts';
import { endpoints, placeOf, type Call, type Operation, type Place } from './contract.ts';
import { explain, type DirectWrite, type Exchange, type Late } from './explain.ts';
import type { Action, Fault, History } from './generator.ts';
import { storedAt, type Stored } from './stored.ts';
import { isMap } from './values.ts';

/** The service that is held to the contract. */
export interface Service {
  readonly projectId: string;
  /** `host:port` */
  readonly firestore: string;
  readonly tokenOf: (uid: string) => string;
  readonly send: (operation: Operation, path: string, request: Request) => Promise<RawResponse>;
  /** Whether one instance serves all calls of an operation, and so remembers all of its cursors. */
  readonly isOneInstance: boolean;
  /** Makes faults strike calls that name this text, until the returned function is called. */
  readonly strike?: (faults: readonly Fault[], text: string) => () => Promise<void>;
}

interface Request {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response that later calls refer to. */
interface Earlier {
  readonly tag: string;
  readonly body: unknown;
}

/** Plays as many random histories, and throws the simplest one that the contract does not explain. */
export async function playAll(
  histories: Arbitrary<History>,
  service: () => Service,
  { runs, seed, path }: { readonly runs: number; readonly seed: number; readonly path?: string },
): Promise<void> {
  const property = fc.asyncProperty(histories, (history) => play(history, service()));
  const { failed, errorInstance, counterexamplePath, numRuns } = await fc.check(property, {
    ...{ seed, numRuns: runs, interruptAfterTimeLimit: 24 * 3_600_000 },
    ...(path !== undefined && { path, endOnFailure: true }),
  });
  if (!failed) return;
  const repeat = `--seed ${seed} --path ${counterexamplePath ?? ''}`;
  throw new Error(`${String(errorInstance)}\n\nAfter ${numRuns} histories. Repeat this one: ${repeat}`);
}

/** Plays a history. Throws an error with all of it if the contract does not explain a round. */
export async function play(history: History, service: Service): Promise<void> {
  const name = randomUUID().slice(0, 8);
  const own = (value: unknown) => JSON.stringify(value).replaceAll('~', `${name}-`);
  const { stored, rounds } = JSON.parse(own(history)) as History;
  const firestore = storedAt(service.firestore, service.projectId);
  // Also documents that no call may create.
  const paths = Object.keys(stored).flatMap((path) => [path, path.replace(/\d$/, '9')]);
  const watched = [...new Set([...paths, `users/${name}-dave`])];
  const player = new Player(service, firestore, name);
  const lines: string[] = [];
  let before = stored;
  let late: readonly Late[] = [];
  await firestore.write(stored);
  for (const [index, { actions, faults = [] }] of rounds.entries()) {
    const heal = service.strike?.(faults, name);
    const events = await Promise.all(actions.map((action) => player.act(action, index)));
    await heal?.();
    const after = await firestore.read(watched);
    const exchanges = player.placed(events.filter((event) => 'call' in event), index, before, after);
    const writes = events.filter((event) => 'path' in event);
    const left = explain({ before, after, writes, exchanges, late });
    lines.push(`Round ${index + 1}, at once:`, ...faults.map(show), ...events.map(show), ...);
    if (left === undefined) throw
    late = left; before = after;
  }
  await firestore.write(Object.fromEntries(watched.map((path) => [path, undefined])));
}
