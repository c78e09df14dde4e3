/**
 * API4, resource consumption: small requests that could cause much work, sent to the deployed functions. Each must be
 * processed with little processor time and memory.
 */
import { deployedService } from '../../support/deployedService.ts';
import { exampleRequest } from '../../support/exampleRequests.ts';
import { rawRequest, type RawResponse } from '../../support/rawRequest.ts';
import { serveMeasured, type MeasuredFunction } from './measured.ts';
import { ALICE, bodyWith } from './world.ts';

const service = deployedService();

const MIB = 1024 * 1024;
/** The size of a field that almost fills a body of 1 MiB, in bytes. */
const ROOM = MIB - 2_000;

/**
 * The limits of a request: several times its usage on a slow machine, and a fraction of its usage if input were not
 * limited.
 */
const MAX_PROCESSOR_MS = 200;
const MAX_PEAK_MIB = 200;

/** A text repeated, with commas between, to the size of a field. */
function filled(text: string, room = ROOM): string {
  return Array.from({ length: Math.floor(room / (text.length + 1)) }, () => text).join(',');
}

/** Members of a JSON object with distinct names. */
function members(count: number, value = '0'): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join(',');
}

function nested(levels: number, open: string, close: string): string {
  return open.repeat(levels) + '1' + close.repeat(levels);
}

/** The JSON body of a function's example request with one field replaced by a JSON text. */
function withText(functionId: string, field: string, json: string): string {
  return bodyWith(functionId, { [field]: 'HERE' }).replace('"HERE"', () => json);
}

/** A request, its expected status, and a part of the expected message. */
interface Work {
  readonly body?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly says?: string;
}

type Named = readonly [name: string, work: Work];

function bodies(
  functionId: string,
  field: string,
  texts: readonly (readonly [name: string, json: string, says: string])[],
): Named[] {
  return texts.map(([name, json, says]) => [
    `${field}: ${name}`,
    { body: withText(functionId, field, json), status: 400, says },
  ]);
}

/** Values for every text field. */
function texts(functionId: string, field: string, says: string): Named[] {
  return bodies(functionId, field, [
    ['a text of 1 MiB', `"${'x'.repeat(ROOM)}"`, says],
    ['a text of underscores', `"${'_'.repeat(ROOM)}"`, says],
    ['a text of escapes', `"${'\\u0000'.repeat(ROOM / 6)}"`, says],
    ['unpaired surrogates', `"${'\\ud800'.repeat(ROOM / 6)}"`, says],
    ['a number of a million digits', '9'.repeat(ROOM), says],
    ['an object of 80 000 members', `{${members(80_000)}}`, TOO_MANY],
    ['an object of 40 000 members', `{${members(40_000)}}`, says],
    ['350 000 lists', `[${filled('[]')}]`, TOO_MANY],
    ['20 000 lists', `[${filled('[]', 60_000)}]`, says],
    ['500 000 levels', nested(ROOM / 2 - 1, '[', ']'), TOO_MANY],
    ['40 000 levels', nested(40_000, '[', ']'), says],
  ]);
}

const TOO_MANY = 'The body must not have more than 50000 values.';
const VALUES = 'weeklySlots must not have more than 5000 values.';
/** The size of a field with just fewer values than allowed, in bytes. */
const JUST = 130_000;
const availability = 'availability-updateAvailability';
const GETS = {
  'flash-listByArtist': `/flash/artist/${ALICE.uid}/paginated`,
  'conversations-getMessages': '/conversations/get-messages?conversationId=alices-0',
};

function heads(functionId: keyof typeof GETS, status: number): Named[] {
  const path = GETS[functionId];
  const and = path.includes('?') ? '&' : '?';
  const long = 14_000;
  return [
    ['If-None-Match: 3500 tags', { headers: { 'If-None-Match': filled('"a"', long) }, status }],
    ['If-None-Match: commas', { headers: { 'If-None-Match': ','.repeat(long) }, status }],
    [
      'Accept-Encoding: spaces',
      { headers: { 'Accept-Encoding': `gzip${' '.repeat(long)}x` }, status },
    ],
    [
      'Accept-Encoding: 2000 codings',
      { headers: { 'Accept-Encoding': filled('gzip;q=0', long) }, status },
    ],
    [
      'Authorization: spaces',
      {
        headers: { Authorization: `Bearer ${' '.repeat(long)}x,` },
        status: status === 200 ? 200 : 401,
      },
    ],
    ['a query of 3000 parameters', { path: `${path}${and}${'a=b&'.repeat(3_000)}`, status }],
    [
      'a query of 4000 escapes',
      { path: `${path}${and}a=${'%C3'.repeat(1)}${'%BC'.repeat(1)}${'%41'.repeat(4_000)}`, status },
    ],
    ['a query of plus signs', { path: `${path}${and}${'+'.repeat(long)}`, status }],
    ['a cursor of 12 kB', { path: `${path}${and}cursor=${'x'.repeat(12_000)}`, status: 400 }],
    ['a limit of 12 kB', { path: `${path}${and}limit=${'9'.repeat(12_000)}`, status: 400 }],
    ['a path of 7000 segments', { path: '/a'.repeat(7_000), status: 404 }],
    ['a path of hashes', { path: `${path}${'#'.repeat(long)}`, status }],
  ];
}

const WORK: Readonly<Record<string, readonly Named[]>> = {
  [availability]: [
    ...bodies(availability, 'weeklySlots', [
      ['996 KiB of empty maps', `{"Monday":[${filled('{}')}]}`, TOO_MANY],
      ['20 000 empty maps', `{"Monday":[${filled('{}', JUST / 2)}]}`, VALUES],
      ['as many lists in maps', `{"Monday":[${filled('{"a":[]}', JUST)}]}`, VALUES],
      [
        'infinities',
        `{"Monday":[${filled('1e999', JUST)}]}`,
        'weeklySlots.Monday[0] must be finite.',
      ],
      ['40 000 members of a day', `{"Monday":{${members(40_000)}}}`, VALUES],
      ['40 000 days', `{${members(40_000)}}`, 'weeklySlots must only have the keys'],
      [
        '40 000 levels of maps',
        `{"Monday":${nested(40_000, '{"a":', '}')}}`,
        'nested deeper than 20',
      ],
      [
        '40 000 levels of lists',
        `{"Monday":${nested(40_000, '[', ']')}}`,
        'an array directly inside an array',
      ],
      ['a text of 1 MiB', `{"Monday":"${'x'.repeat(ROOM)}"}`, 'must not be longer than 100000'],
      ['a name of 1 MiB', `{"Monday":{"${'x'.repeat(ROOM)}":1}}`, 'reserved or too long'],
      [
        'a name of escapes',
        `{"Monday":{"${'\\u00e9'.repeat(ROOM / 6)}":1}}`,
        'reserved or too long',
      ],
      [
        '4900 names of 200 characters',
        `{"Monday":{${members(4_900).replaceAll('"k', `"${'k'.repeat(190)}`)}}}`,
        'must not be longer than 100000',
      ],
    ]),
    [
      'weeklySlots: the same day 10 000 times',
      {
        body: withText(availability, 'weeklySlots', `{${filled('"Monday":[{}]', JUST)}}`),
        status: 404,
      },
    ],
    ...texts(availability, 'artistId', 'artistId must be'),
    ...texts(availability, 'dateRangeType', 'dateRangeType must be one of'),
    ...texts(availability, 'rollingDays', 'rollingDays must be an integer from 1 to 366'),
    [
      '40 000 unknown fields',
      { body: `{${members(40_000)}}`, status: 400, says: 'artistId is required' },
    ],
    [
      '20 000 objects instead of one',
      { body: `[${filled('{}', JUST / 2)}]`, status: 400, says: 'must be an object' },
    ],
    [
      'a list without an end',
      { body: `{"a":[${filled('{}', JUST / 2)}`, status: 400, says: 'not valid JSON' },
    ],
    [
      'a text without an end',
      { body: `{"a":"${'ü'.repeat(ROOM / 2)}`, status: 400, says: 'not valid JSON' },
    ],
    ['quotes', { body: '"'.repeat(ROOM), status: 400, says: 'not valid JSON' }],
    ['backslashes', { body: '\\'.repeat(ROOM), status: 400, says: 'not valid JSON' }],
  ],
  'flash-markAsAvailable': [
    ...texts('flash-markAsAvailable', 'flashIds', 'flashIds'),
    ...bodies('flash-markAsAvailable', 'flashIds', [
      ['46 000 empty ids', `[${filled('""', JUST)}]`, 'must have 1 to 500 ids'],
      [
        '500 ids of 2000 bytes',
        `[${Array.from({ length: 500 }, () => `"${'x'.repeat(2_000)}"`).join(',')}]`,
        'flashIds[0] must be an id',
      ],
      [
        '500 ids, the last one bad',
        `[${filled(`"${'_'.repeat(1_400)}x"`, 499 * 1_404)},"a/b"]`,
        'must be an id',
      ],
      [
        '500 objects of 90 members',
        `[${Array.from({ length: 500 }, () => `{${members(90)}}`).join(',')}]`,
        'flashIds[0] must be a string',
      ],
    ]),
  ],
  'flash-reorder': [
    ...texts('flash-reorder', 'flashUpdates', 'flashUpdates'),
    ...bodies('flash-reorder', 'flashUpdates', [
      ['20 000 empty entries', `[${filled('{}', JUST / 2)}]`, 'must have 1 to 500 entries'],
      [
        '500 entries of 90 members',
        `[${Array.from({ length: 500 }, () => `{${members(90)}}`).join(',')}]`,
        'flashUpdates[0].id is required',
      ],
      [
        '500 times one long id',
        `[${Array.from({ length: 500 }, () => `{"id":"${'x'.repeat(1_500)}","order":1}`).join(',')}]`,
        'flashUpdates[1].id must not be repeated',
      ],
      [
        '500 orders of 1900 digits',
        `[${Array.from({ length: 500 }, (_, n) => `{"id":"a${n}","order":${'9'.repeat(1_900)}}`).join(',')}]`,
        'flashUpdates[0].order must be',
      ],
    ]),
  ],
  'gallery-removePhotos': [
    ...texts('gallery-removePhotos', 'photoIds', 'photoIds'),
    [
      '1000 ids in the query',
      {
        body: '',
        path: `/gallery/remove-photos?${'photoIds=a&'.repeat(1_000)}`,
        status: 400,
        says: 'must have 1 to 500 ids',
      },
    ],
    [
      'a bad id of 12 kB in the query',
      {
        body: '',
        path: `/gallery/remove-photos?photoIds=${'%5F'.repeat(4_000)}`,
        status: 400,
        says: 'photoIds[0] must be an id',
      },
    ],
  ],
  'bookings-deleteSession': [
    ...texts('bookings-deleteSession', 'sessionNumber', 'sessionNumber must be a number'),
  ],
  'unavailableEvents-editUnavailableEvent': [
    ...texts('unavailableEvents-editUnavailableEvent', 'title', 'title must'),
    ...bodies('unavailableEvents-editUnavailableEvent', 'title', [
      [
        '201 characters of two units',
        `"${'💉'.repeat(201)}"`,
        'title must have 1 to 200 characters',
      ],
      ['combining marks', `"a${'\u0301'.repeat(ROOM / 2)}"`, 'title must have 1 to 200 characters'],
    ]),
  ],
  'flash-listByArtist': heads('flash-listByArtist', 200),
  'conversations-getMessages': heads('conversations-getMessages', 404),
};

async function send(
  functionId: string,
  { origin }: Pick<MeasuredFunction, 'origin'>,
  { body, path, headers }: Omit<Work, 'status'>,
): Promise<RawResponse> {
  const own = exampleRequest(functionId, ALICE, service.google.tokenOf(ALICE.uid));
  const sent = body === '' ? undefined : (body ?? own.body);
  return rawRequest(origin, path ?? own.path, {
    method: own.method,
    headers: { ...own.headers, ...headers },
    ...(sent !== undefined && { body: sent }),
  });
}

describe.each(Object.entries(WORK))('%s', (functionId, attacks) => {
  let measured: MeasuredFunction;

  beforeAll(async () => {
    measured = await serveMeasured(service, functionId);
    // Warm up: load, fetch and compile everything that is needed once.
    for (let turn = 0; turn < 3; turn += 1) await send(functionId, measured, {});
    await send(functionId, measured, { body: `{${members(1_000)}}` });
  });

  test.each(attacks)('%s', async (_name, work) => {
    let answer: RawResponse | undefined;
    const needs = await measured.neededFor(async () => {
      answer = await send(functionId, measured, work);
    });

    expect(answer?.status).toBe(work.status);
    expect(answer?.text).toContain(work.says ?? '');
    expect(needs.processorMs).toBeLessThan(MAX_PROCESSOR_MS);
    expect(needs.peakMiB).toBeLessThan(MAX_PEAK_MIB);
  });
});
