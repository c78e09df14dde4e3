import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { defineSecret } from 'firebase-functions/params';
import { deployedEndpoints } from '../../functions/declared/deployMap.ts';
import { sourceFunctions } from './manifest.ts';
import {
  databaseFaults,
  declaredParameters,
  exampleFile,
  parameterFaults,
  regionWarnings,
  type Parameter,
} from './parameters.ts';

const EXAMPLE = readFileSync('functions/.env.example', 'utf8');
const defaults = parseEnv(EXAMPLE);
const parameters = declaredParameters();

test('deploys each endpoint as a separate function with the configured limits', async () => {
  const functions = await sourceFunctions();

  for (const { functionId } of deployedEndpoints) {
    expect(functions.find(({ id }) => id === functionId)).toMatchObject({
      platform: 'gcfv2',
      region: '{{ params.REGION }}',
      availableMemoryMb: 512,
      cpu: 1,
      concurrency: '{{ params.CONCURRENCY }}',
      minInstances: '{{ params.MIN_INSTANCES }}',
      maxInstances: '{{ params.MAX_INSTANCES }}',
      serviceAccountEmail: '{{ params.SERVICE_ACCOUNT }}',
      timeoutSeconds: 60,
      httpsTrigger: { invoker: ['public'] },
    });
  }
});

test('functions/.env.example is what npm run generate writes, and is accepted', () => {
  expect(EXAMPLE).toBe(exampleFile(parameters));
  expect(parameterFaults(parameters, defaults)).toEqual([]);
});

test('a secret is no line of the file', () => {
  defineSecret('PAYMENT_KEY');

  expect(declaredParameters()).toEqual(parameters);
});

test.each([
  ['MAX_INSTANCES', '1001', 'Allowed: an integer from 1 to 1000.'],
  ['MAX_INSTANCES', '', 'Allowed: an integer from 1 to 1000.'],
  ['CHECK_REVOKED', 'yes', 'Allowed: true or false.'],
  ['APP_CHECK', 'Enforce', 'Allowed: off, monitor, enforce.'],
  ['ALLOWED_ORIGINS', 'https://a.example/', ': no path, no slash at the end.'],
  ['REGION', 'europe-west', 'Allowed: the id of a region, such as us-central1.'],
])('refuses %s=%s and says which values are allowed', (name, value, why) => {
  const faults = parameterFaults(parameters, { ...defaults, [name]: value });

  expect(faults).toEqual([expect.stringContaining(why)]);
  expect(faults.join()).toContain(`${name}=${value} is invalid.`);
});

test('refuses a minimum of instances above the maximum', () => {
  const values = { ...defaults, MIN_INSTANCES: '9', MAX_INSTANCES: '10' };

  expect(parameterFaults(parameters, values)).toEqual([]);
  expect(parameterFaults(parameters, { ...values, MIN_INSTANCES: '11' })).toEqual([
    'MIN_INSTANCES=11 is above MAX_INSTANCES=10.',
  ]);
});

test('warns of a region that the SDK does not list, but accepts it', () => {
  const values = { ...defaults, REGION: 'mars-north1' };

  expect(parameterFaults(parameters, values)).toEqual([]);
  expect(regionWarnings(values)).toEqual([expect.stringContaining('REGION=mars-north1')]);
  expect(regionWarnings(defaults)).toEqual([]);
});

test.each<[string, Omit<Parameter, 'name' | 'default' | 'description'>, string, string]>([
  ['an integer', { type: 'int' }, '-10', 'abc'],
  ['true or false', { type: 'boolean' }, 'false', 'maybe'],
  ['a or b', { type: 'string', input: { text: { validationRegex: '^[ab]$' } } }, 'b', 'c'],
  ['x', { type: 'string', input: { select: { options: [{ value: 'x' }] } } }, 'x', 'y'],
])('holds an owner’s own parameter to its declaration: %s', (_what, type, valid, invalid) => {
  const own = { name: 'OWN', default: '', description: '', ...type };

  expect(parameterFaults([own], { OWN: valid })).toEqual([]);
  expect(parameterFaults([own], { OWN: invalid })).toHaveLength(1);
});

test('finds a missing parameter and a misspelt one', () => {
  const { MAX_INSTANCES, ...others } = defaults;
  const values = { ...others, MAX_INSTANCE: MAX_INSTANCES };

  expect(parameterFaults(parameters, values)).toEqual([
    'MAX_INSTANCES is missing.',
    'MAX_INSTANCE is not a parameter: delete the line.',
  ]);
});

test('refuses different databases for functions and for rules and indexes', () => {
  expect(databaseFaults({}, {})).toEqual([]);
  expect(databaseFaults({ database: 'live' }, { DATABASE_ID: 'live' })).toEqual([]);
  expect(databaseFaults({}, { DATABASE_ID: 'live' })).toEqual([
    'DATABASE_ID=live, but firestore.database in firebase.json is (default).',
  ]);
});
