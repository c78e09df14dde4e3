import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DocumentData } from '@tattoo-marketplace/firestore-embedded';

/** The demo account that sends all example requests, and owns the documents they name. */
export const EXAMPLE_CALLER = 'artist-mara-voss';

/** The length of a week, in ms. */
const WEEK = 7 * 24 * 3_600_000;
/** The present of the data files: Thursday, 2026-10-01, 10:00 UTC, in ms. */
export const DATA_TIME = Date.UTC(2026, 9, 1, 10);
const TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/;

const FOLDER = 'demo/data';

/**
 * Reads all demo documents by path (`users/artist-mara-voss`). demo/data has one file for each collection and its
 * subcollections, with one document on each line. `pictures` replaces `{pictures}`. Times are shifted by entire weeks, so
 * that `DATA_TIME` is at most a week ago and weekdays stay the same. They become milliseconds, or a timestamp where the file
 * has a `timestampValue`.
 */
export function readDemoDocuments(
  now = Date.now(),
  pictures = '/demo/pictures',
): (readonly [path: string, data: DocumentData])[] {
  const shiftMs = Math.floor((now - DATA_TIME) / WEEK) * WEEK;
  return readdirSync(FOLDER).flatMap((file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8').replaceAll('{pictures}', pictures);
    const documents = JSON.parse(text, (_name, value) => shiftTimes(value, shiftMs)) as Readonly<
      Record<string, DocumentData>
    >;
    const collection = basename(file, '.json');
    return Object.entries(documents).map(([id, data]) => [`${collection}/${id}`, data] as const);
  });
}

/** Converts a value of a data file to the value to store. */
function shiftTimes(value: unknown, shiftMs: number): unknown {
  if (typeof value === 'string' && TIME_PATTERN.test(value)) return Date.parse(value) + shiftMs;
  if (typeof value === 'object' && value !== null && 'timestampValue' in value) {
    return { timestampValue: new Date(value.timestampValue as number).toISOString() };
  }
  return value;
}
