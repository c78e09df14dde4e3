import type { PlannedParameter } from './manifest.ts';
import { databaseFaults, exampleFile, parameterFaults } from './parameters.ts';

const instances: PlannedParameter = {
  name: 'MAX_INSTANCES',
  type: 'int',
  default: 20,
  description: 'The maximum number of instances.',
  input: {
    text: {
      validationRegex: '^([1-9]|[1-9]\\d{1,2}|1000)$',
      validationErrorMessage: 'Enter an integer from 1 to 1000.',
    },
  },
};
const revoked: PlannedParameter = {
  name: 'CHECK_REVOKED',
  type: 'boolean',
  default: false,
  description: 'Whether tokens are checked.',
};
const mode: PlannedParameter = {
  name: 'APP_CHECK',
  type: 'string',
  default: 'off',
  description: 'The mode.',
  input: { select: { options: [{ value: 'off' }, { value: 'enforce' }] } },
};
const region: PlannedParameter = {
  name: 'REGION',
  type: 'string',
  default: 'us-central1',
  description: 'Where.',
};
const parameters = [instances, revoked, mode, region];
const fitting = {
  MAX_INSTANCES: '1000',
  CHECK_REVOKED: 'true',
  APP_CHECK: 'enforce',
  REGION: 'europe-west1',
};

test('accepts valid values', () => {
  expect(parameterFaults(parameters, fitting)).toEqual([]);
});

test.each([
  ['MAX_INSTANCES', '1001', 'an integer from 1 to 1000'],
  ['MAX_INSTANCES', '', 'an integer from 1 to 1000'],
  ['CHECK_REVOKED', 'yes', 'true or false'],
  ['APP_CHECK', 'Enforce', 'off, enforce'],
])('refuses %s=%s and says which values are allowed', (name, value, allowed) => {
  expect(parameterFaults(parameters, { ...fitting, [name]: value })).toEqual([
    `${name}=${value} is invalid. Allowed: ${allowed}.`,
  ]);
});

test('finds a missing parameter and an unknown one', () => {
  expect(parameterFaults([instances], { MAX_INSTANCE: '5' })).toEqual([
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

test('the example file has the description, the allowed values and the default of each parameter', () => {
  const [, ...entries] = exampleFile(parameters).split('\n\n');

  expect(entries).toEqual([
    '# The maximum number of instances.\n# Allowed: an integer from 1 to 1000.\nMAX_INSTANCES=20',
    '# Whether tokens are checked.\n# Allowed: true or false.\nCHECK_REVOKED=false',
    '# The mode.\n# Allowed: off, enforce.\nAPP_CHECK=off',
    '# Where.\nREGION=us-central1\n',
  ]);
});
