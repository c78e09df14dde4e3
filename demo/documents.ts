import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DocumentData } from '@tattoo-marketplace/firestore-embedded';

/** The demo account that sends all example requests, and owns the documents they name. */
export const EXAMPLE_CALLER = 'artist-mara-voss';

/** The length of a week, in ms. */
const WEEK = 7 * 24 * 3_600_000;
/** The time at which the data files are set: Thursday, 2026-10-01, 10:00 UTC, in ms. */
export const SETTING = Date.UTC(2026, 9, 1, 10);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/;

const FOLDER = 'demo/data';

/**
 * All demo documents by path (`users/artist-mara-voss`): a file per collection and those below it, with a document per
 * line. `pictures` replaces `{pictures}`. Times are moved by whole weeks, so that the setting is at most a week ago and each weekday stays
 * what it is. They become milliseconds, or a timestamp where the file has a `timestampValue`.
 */
export function demoDocuments(
  now = Date.now(),
  pictures = '/demo/pictures',
): (readonly [path: string, data: DocumentData])[] {
  const moved = Math.floor((now - SETTING) / WEEK) * WEEK;
  return readdirSync(FOLDER).flatMap((file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8').replaceAll('{pictures}', pictures);
    const documents = JSON.parse(text, (_name, value) => stored(value, moved)) as Readonly<
      Record<string, DocumentData>
    >;
    const collection = basename(file, '.json');
    return Object.entries(documents).map(([id, data]) => [`${collection}/${id}`, data] as const);
  });
}

/** A value as it is stored. */
function stored(value: unknown, moved: number): unknown {
  if (typeof value === 'string' && TIME.test(value)) return Date.parse(value) + moved;
  if (typeof value === 'object' && value !== null && 'timestampValue' in value) {
    return { timestampValue: new Date(value.timestampValue as number).toISOString() };
  }
  return value;
}
