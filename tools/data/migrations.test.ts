import { toFields, type Data } from '../../functions/declared/store.ts';
import { migrationOf, type MigrationOptions } from './migrations.ts';

const REFERENCE = { referenceValue: 'projects/p/databases/(default)/documents/users/alice' };
const ELEVEN = Date.UTC(2026, 0, 31, 11);
const timestamp = (timestampValue: string) => ({ timestampValue });

/** What changes in a document: nothing is undefined, as a removed field is. */
function changesOf(options: MigrationOptions, data: Data) {
  return migrationOf(options).changesOf(toFields(data));
}

test.each<[kind: string, before: unknown, after: unknown]>([
  ['text', 180, '180'],
  ['text', 180.5, '180.5'],
  ['text', { integerValue: '9007199254740993' }, '9007199254740993'],
  ['text', REFERENCE, 'alice'],
  ['number', '180', 180],
  ['number', '-180.50', -180.5],
  ['integer', '7', 7],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['time', '2026-01-31T12:00:00.5+01:00', ELEVEN + 500],
  ['time', timestamp('2026-01-31T11:00:00.123000Z'), ELEVEN + 123],
  ['timestamp', ELEVEN + 123, timestamp('2026-01-31T11:00:00.123000Z')],
  ['timestamp', '2026-01-31T11:00:00.123456000Z', timestamp('2026-01-31T11:00:00.123456Z')],
  ['list', 'bold', ['bold']],
])('--convert to %s makes %j %j, and then nothing', (kind, before, after) => {
  const options = { convert: `value=${kind}` };

  expect(changesOf(options, { value: before })).toEqual(toFields({ value: after }));
  expect(changesOf(options, { value: after })).toBeUndefined();
});

test.each<[kind: string, value: unknown, reason: string]>([
  ['text', true, 'value is a boolean'],
  [
    'text',
    { referenceValue: `${REFERENCE.referenceValue}/pets/b` },
    'a reference to a subcollection',
  ],
  ['number', '12345678901234567890', 'value is a text that is not exactly a number'],
  ['number', '1,000', 'value is a text that is not exactly a number'],
  ['number', 'Infinity', 'value is a text that is not exactly a number'],
  ['number', timestamp('2026-01-31T12:00:00Z'), 'value is a timestamp'],
  ['integer', '7.5', 'value is a text that is not exactly a whole number'],
  ['integer', 7.5, 'value is a number that is not whole'],
  ['boolean', 'yes', 'value is a text that is neither true nor false'],
  ['boolean', 1, 'value is a number'],
  ['time', timestamp('2026-01-31T11:00:00.123456Z'), 'value is a timestamp with microseconds'],
  ['time', '2026-01-31T11:00:00.123456Z', 'value is a text that is not a time in whole'],
  ['time', '2026-02-31T12:00:00Z', 'value is a text that is not a time in whole'],
  ['timestamp', '2026-01-31T12:00:00', 'value is a text that is not a time with its zone'],
  ['timestamp', '2026-01-31T12:00:00.123456789Z', 'value is a text that is not a time with'],
  ['timestamp', 8.64e15, 'value is a number'],
  ['list', '', 'value is a text that is empty'],
  ['list', { a: 1 }, 'value is a map'],
])('--convert to %s leaves %j', (kind, value, reason) => {
  expect(() => changesOf({ convert: `value=${kind}` }, { value })).toThrow(reason);
});

const RENAME = { rename: 'order=position' };
const SET = { set: 'price.type=fixed', 'where-missing': 'price.type' };

test.each<[string, MigrationOptions, before: Data, after: object | undefined]>([
  ['a null stays', { convert: 'order=number' }, { order: null }, undefined],
  [
    'a field in a map is converted, and those beside it stay',
    { convert: 'price.amount=text' },
    { price: { amount: 180, since: timestamp('2026-01-31T11:00:00.123456Z') } },
    { price: { amount: '180', since: timestamp('2026-01-31T11:00:00.123456Z') } },
  ],
  [
    'elements of lists are converted, and fields of maps in them',
    { convert: 'sessions[].at[]=number' },
    { sessions: [{ at: ['1', 2], by: 'alice' }, {}] },
    { sessions: [{ at: [1, 2], by: 'alice' }, {}] },
  ],
  ['a missing map stays missing', { convert: 'price.amount=text' }, {}, undefined],
  ['a null in place of a map stays', { convert: 'price.amount=text' }, { price: null }, undefined],
  ['a null in place of a list stays', { convert: 'styles[]=text' }, { styles: null }, undefined],
  ['a name is replaced', RENAME, { position: 3 }, { order: 3, position: undefined }],
  ['a null is no value', RENAME, { order: null, position: 3 }, { order: 3, position: undefined }],
  [
    'the new name may win',
    { ...RENAME, prefer: 'order' },
    { order: 1, position: 3 },
    { position: undefined },
  ],
  [
    'the old name may win',
    { ...RENAME, prefer: 'position' },
    { order: 1, position: 3 },
    { order: 3, position: undefined },
  ],
  [
    'a value moves into a map that is made',
    { rename: 'price.amount=cost' },
    { cost: '180' },
    { price: { amount: '180' }, cost: undefined },
  ],
  [
    'a value moves out of a map, whose other fields stay',
    { rename: 'cost=price.amount' },
    { price: { amount: '180', type: 'fixed' } },
    { cost: '180', price: { type: 'fixed' } },
  ],
  [
    'a field of a map is set',
    SET,
    { price: { amount: '1' } },
    { price: { amount: '1', type: 'fixed' } },
  ],
  ['a field that is there stays', SET, { price: { type: 'hourly' } }, undefined],
])('%s', (_what, options, before, after) => {
  const changes = changesOf(options, before);

  expect(changes).toStrictEqual(after && plain(after));
});

test.each<[MigrationOptions, Data, reason: string]>([
  [RENAME, { order: 1, position: 3 }, 'both order and position have a value: --prefer says'],
  [{ rename: 'price.amount=cost' }, { price: '180', cost: 1 }, 'price is a text, not a map'],
  [SET, {}, 'price is missing'],
  [{ ...SET, set: 'price={}' }, { price: { amount: '180' } }, 'price has another value'],
  [{ ...SET, set: 'order=0' }, { order: 1 }, 'order has another value'],
  [{ convert: 'price.amount=text' }, { price: 180 }, 'price is a number, not a map'],
  [{ convert: 'styles[]=text' }, { styles: 'bold' }, 'styles is a text, not a list'],
  [{ convert: 'styles[]=text' }, { styles: [1, {}] }, 'styles[] is a map'],
])('%j leaves %j', (options, data, reason) => {
  expect(() => changesOf(options, data)).toThrow(reason);
});

test.each<[MigrationOptions, sentence: string]>([
  [{}, 'Say one of --set'],
  [{ set: 'order=0' }, 'Say one of --set'],
  [{ ...RENAME, convert: 'order=number' }, 'Say one of --set'],
  [{ convert: 'order=date' }, 'There is no kind date. --convert knows text, number,'],
  [{ convert: 'order' }, '--convert order must have the form FIELD=…'],
  [{ rename: 'order=styles[]' }, 'styles[] is neither.'],
  [{ rename: 'order=order', prefer: 'order' }, 'two fields, neither in the other.'],
  [{ rename: 'price.amount=price' }, 'two fields, neither in the other.'],
  [{ set: 'a-b=1', 'where-missing': 'order' }, 'a-b is neither.'],
  [{ set: 'order=1e999', 'where-missing': 'order' }, '--set cannot store 1e999.'],
  [{ set: 'order=9007199254740993', 'where-missing': 'order' }, '--set cannot store 9007'],
  [{ set: 'order=null', 'where-missing': 'order' }, '--set cannot store null.'],
  [{ set: 'order=0', 'where-missing': 'a.' }, 'a. is neither.'],
  [{ ...RENAME, prefer: 'place' }, '--prefer must be order or position.'],
  [{ convert: 'order=number', prefer: 'order' }, '--prefer belongs to --rename.'],
])('refuses %j', (options, sentence) => {
  expect(() => migrationOf(options)).toThrow(sentence);
});

/** The fields of an object; what is undefined stays. */
function plain(after: object) {
  const entries = Object.entries(after).map(([name, value]: [string, unknown]) => {
    return [name, value === undefined ? undefined : toFields({ value }).value] as const;
  });
  return Object.fromEntries(entries);
}
