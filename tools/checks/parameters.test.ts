import { declaredParams } from 'firebase-functions/params';
import { parseEnv } from 'node:util';
import '../../functions/src/parameters.ts';
import type { PlannedParameter } from './manifest.ts';
import { databaseFaults, exampleFile, parameterFaults } from './parameters.ts';

const parameters = (declaredParams as unknown as readonly { toSpec(): PlannedParameter }[]).map(
  (each) => each.toSpec(),
);
const defaults = parseEnv(exampleFile(parameters));

test('the example file has every parameter with its default, and is accepted', () => {
  expect(defaults).toEqual(
    Object.fromEntries(parameters.map(({ name, default: value }) => [name, String(value)])),
  );
  expect(parameterFaults(parameters, defaults)).toEqual([]);
});

test('the example file describes the allowed values of a parameter', () => {
  expect(exampleFile(parameters)).toContain(
    '# Allowed: an integer from 1 to 1000.\nMAX_INSTANCES=20\n\n',
  );
});

test.each([
  ['MAX_INSTANCES', '1001', 'an integer from 1 to 1000'],
  ['MAX_INSTANCES', '', 'an integer from 1 to 1000'],
  ['CHECK_REVOKED', 'yes', 'true or false'],
  ['APP_CHECK', 'Enforce', 'off, monitor, enforce'],
])('refuses %s=%s and says which values are allowed', (name, value, allowed) => {
  expect(parameterFaults(parameters, { ...defaults, [name]: value })).toEqual([
    `${name}=${value} is invalid. Allowed: ${allowed}.`,
  ]);
});

test('finds a missing parameter and an unknown one', () => {
  const { MAX_INSTANCES, ...others } = defaults;

  expect(parameterFaults(parameters, { ...others, MAX_INSTANCE: MAX_INSTANCES })).toEqual([
    'MAX_INSTANCES is missing.',
    'MAX_INSTANCE is not a parameter.',
  ]);
});

test('refuses different databases for functions and for rules and indexes', () => {
  expect(databaseFaults({}, {})).toEqual([]);
  expect(databaseFaults({ database: 'live' }, { DATABASE_ID: 'live' })).toEqual([]);
  expect(databaseFaults({}, { DATABASE_ID: 'live' })).toEqual([
    'DATABASE_ID=live, but firestore.database in firebase.json is (default).',
  ]);
});
