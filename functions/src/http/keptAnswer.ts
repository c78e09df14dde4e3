import { logger } from 'firebase-functions/logger';
import { LRUCache } from 'lru-cache';
import { publicCacheSeconds } from '../parameters.ts';
import { entityTag } from './entityTag.ts';
import { emptyRecord, recordDataOf, recorded } from './requestRecord.ts';

/** An answer as it is sent. */
export interface Answer {
  readonly body: Buffer;
  readonly tag: string;
}

/** How much all kept answers together may take, in bytes: twice what the platform lets one answer be (32 MiB). */
const MAX_BYTES = 64 * 1024 * 1024;
/** After what part of its time an answer is read again, while callers still get the one that is kept. */
const REFRESH_AFTER = 0.75;

interface Kept extends Answer {
  /** When its reading began, in ms since the epoch. */
  readonly readAt: number;
}

const kept = new LRUCache<string, Kept, () => Promise<Kept>>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ body }) => body.length,
  fetchMethod: (_name, _stale, { context: read }) => read(),
  // A refresh that failed is tried again by the next caller; until its time is over, the kept one is good.
  noDeleteOnFetchRejection: true,
  perf: Date,
  ttlResolution: 0,
});

/** The answer of these bytes. */
export function answerOf(value: unknown): Answer {
  const body = Buffer.from(JSON.stringify(value));
  return { body, tag: entityTag(body) };
}

/**
 * An answer that is the same for all callers, built once and kept in this instance for as long as the cache parameter
 * says. However many callers wait, it is read once; and it is read again before its time is over, without anyone
 * waiting for that.
 */
export async function keptAnswer(name: string, build: () => Promise<unknown>): Promise<Answer> {
  const keptMs = publicCacheSeconds.value() * 1000;
  if (keptMs === 0) return answerOf(await build());
  const present = kept.peek(name, { allowStale: true });
  const answer = await kept.forceFetch(name, {
    ttl: keptMs * REFRESH_AFTER,
    allowStale: present !== undefined && Date.now() - present.readAt < keptMs,
    context: () => read(name, build),
  });
  recordDataOf(answer.readAt);
  return answer;
}

/** Reads for all callers: what it costs stands in a line of its own in the log. */
async function read(name: string, build: () => Promise<unknown>): Promise<Kept> {
  const record = emptyRecord();
  const answer = answerOf(await recorded(record, build));
  logger.info(`${name} was read`, {
    firestoreReads: record.reads,
    bytes: answer.body.length,
    ms: Date.now() - record.readAt,
  });
  return { ...answer, readAt: record.readAt };
}
