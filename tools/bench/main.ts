/**
 * `npm run bench`: the service beside the Admin SDK and the bare framework, as README.md in this folder describes. Prints
 * its table.
 */
import { measureCold, measureWarm, type Times } from './measure.ts';
import { buildPrograms } from './programs.ts';
import { startSimulation } from './recordedGoogle.ts';

/** The median, and the range of all rounds: `0.97 (0.93–1.10)`. */
function figureOf(measured: readonly number[], digits = 2): string {
  if (measured.length === 0) return '';
  const sorted = measured.toSorted((a, b) => a - b);
  const shown = (index: number) => sorted.at(index)?.toFixed(digits);
  return `${shown(sorted.length >> 1)} (${shown(0)}–${shown(-1)})`;
}

function printRow(name: string, [ours = [], theirs = [], bare = []]: Times, digits: number): void {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? NaN));
  const figures = [ours, theirs, bare].map((each) => figureOf(each, digits));
  console.log(`| ${[name, ...figures, figureOf(ratios)].join(' | ')} |`);
}

const google = await startSimulation();
const page = google.requestTo('flash-listByArtist', { limit: '20' });
const later = google.requestTo('flash-listByArtist', { limit: '20', cursor: 'things-19' });
const mark = google.requestTo('flash-markAsAvailable', {}, 20);
const deletion = google.requestTo('bookings-deleteSession');
const list = google.requestTo('artists-list');
const { service, sdk, bare, remove } = await buildPrograms();
const all = [service, sdk, bare];
console.log('| ms | service | Admin SDK | bare framework | service to SDK |');
console.log('| --- | --- | --- | --- | --- |');
try {
  printRow('page, the service twice', await measureWarm(google, page, [service, service]), 2);
  printRow('page of 20', await measureWarm(google, page, all), 2);
  printRow('later page of 20', await measureWarm(google, later, all), 2);
  printRow('mark-as-available, 20', await measureWarm(google, mark, all), 2);
  printRow('delete-session', await measureWarm(google, deletion, all), 2);
  printRow('cold start, a page', await measureCold(google, page, all, 9), 0);
  printRow('cold start, 25 000 artists', await measureCold(google, list, all, 3), 0);
} finally {
  await remove();
}
process.exit();
