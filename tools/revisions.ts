/** Chooses the revisions to which services return. */
import { basename } from 'node:path';
import type { Revision } from './checks/resources.ts';

/** A Cloud Run service with its revisions. */
export interface ServiceRevisions {
  readonly service: string;
  readonly revisions: readonly Revision[];
}

/** The revision to which a service returns. */
interface ChosenRevision {
  readonly service: string;
  /** Its name without the service; undefined for the latest. */
  readonly revision?: string | undefined;
  /** Why the service is left as it is. */
  readonly reason?: string;
}

/** The longest time that a deploy takes, in ms. */
const MAX_DEPLOY_MS = 60 * 60_000;

/**
 * Chooses for each service the last revision before its latest that has started, or with `latest` the latest. A service that the
 * last deploy did not change, or that has no such revision, is left as it is.
 */
export function chooseRevisions(
  services: readonly ServiceRevisions[],
  { latest }: { readonly latest: boolean },
): ChosenRevision[] {
  const sorted = services.map(({ service, revisions }) => ({
    service,
    revisions: revisions.toSorted((a, b) => b.createTime.localeCompare(a.createTime)),
  }));
  const lastDeploy = Math.max(...sorted.map(({ revisions }) => readCreateTime(revisions[0])));
  return sorted.map(({ service, revisions: [newest, ...others] }) => {
    if (latest) return { service };
    const former = others.find(hasStarted);
    if (former === undefined) return { service, reason: 'it has no former revision' };
    if (readCreateTime(newest) < lastDeploy - MAX_DEPLOY_MS) {
      return { service, reason: 'the last deploy did not change it' };
    }
    return { service, revision: basename(former.name) };
  });
}

/** Returns whether a revision can serve: with an invalid parameter it does not start. */
function hasStarted({ conditions = [] }: Revision): boolean {
  return !conditions.some(({ type, state }) => type === 'Ready' && state === 'CONDITION_FAILED');
}

/** Returns the time of creation, in ms; 0 without a revision. */
function readCreateTime(revision: Revision | undefined): number {
  return revision === undefined ? 0 : Date.parse(revision.createTime);
}
