/**
 * `npm run bench`: compares the service with the Admin SDK and the bare framework, as README.md in this folder describes.
 * Prints its table.
 */
import { measureCold, measureWarm, type Times } from './measure.ts';
import { buildPrograms } from './programs.ts';
import { startRecordedGoogle } from './recordedGoogle.ts';

/** Formats the median and the range of all rounds: `0.97 (0.93–1.10)`. */
function formatMedian(values: readonly number[], digits = 2): string {
  if (values.length === 0) return '';
  const sorted = values.toSorted((a, b) => a - b);
  const format = (index: number) => sorted.at(index)?.toFixed(digits);
  return `${format(sorted.length >> 1)} (${format(0)}–${format(-1)})`;
}

/** Divides the times of the service by those of another program, round by round. */
function formatRatio(service: readonly number[], baseline: readonly number[]): string {
  return formatMedian(baseline.map((value, round) => (service[round] ?? NaN) / value));
}

function printRow(name: string, times: Times, digits: number): void {
  const [service = [], sdkRest = [], sdkGrpc = [], bare = []] = times;
  const cells = [
    name,
    ...[service, sdkRest, sdkGrpc, bare].map((values) => formatMedian(values, digits)),
    formatRatio(service, sdkRest),
    formatRatio(service, sdkGrpc),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

const google = await startRecordedGoogle();
const page = google.createRequest('flash-listByArtist', { limit: '20' });
const laterPage = google.createRequest('flash-listByArtist', { limit: '20', cursor: 'things-19' });
const mark = google.createRequest('flash-markAsAvailable', {}, 20);
const deletion = google.createRequest('bookings-deleteSession');
const artists = google.createRequest('artists-list');
const { service, sdkRest, sdkGrpc, bare, remove } = await buildPrograms();
const programs = [service, sdkRest, sdkGrpc, bare];
console.log(
  '| ms | service | Admin SDK, REST | Admin SDK, gRPC | bare framework | service / REST | service / gRPC |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- |');
try {
  printRow('noise: the service twice', await measureWarm(google, page, [service, service]), 2);
  printRow('page of 20', await measureWarm(google, page, programs), 2);
  printRow('later page of 20', await measureWarm(google, laterPage, programs), 2);
  printRow('mark-as-available, 20', await measureWarm(google, mark, programs), 2);
  printRow('delete-session', await measureWarm(google, deletion, programs), 2);
  printRow('cold start, a page', await measureCold(google, page, programs, 9), 0);
  printRow('cold start, delete-session', await measureCold(google, deletion, programs, 9), 0);
  printRow('cold start, 25 000 artists', await measureCold(google, artists, programs, 3), 0);
} finally {
  await remove();
}
process.exit();
