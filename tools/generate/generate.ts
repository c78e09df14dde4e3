/** `npm run generate`: generates files, or parts of them, from the declarations, schemas and parameters. */
import '../../dev/friendlyErrors.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseOptions } from '../../dev/commandLine.ts';
import { ROOT } from '../../dev/root.ts';
import {
  COLLECTIONS,
  endpoints,
  functionIds,
  otherFunctionIds,
  unknownPathId,
} from '../../functions/service.ts';
import { addMissingParameters, formatExampleFile, getDeclaredParameters } from './parameters.ts';
import { describeApiChanges } from './apiChanges.ts';
import { updateCollections } from './collections.ts';
import { ALERTS, replaceServiceFilter } from './alerts.ts';
import { renderClientOperations } from './client.ts';
import { createDashboard } from './dashboard.ts';
import { insertLimits } from './description.ts';
import { formatUpdate } from './formatUpdate.ts';
import { createOpenApiDocument } from './openapi.ts';
import { updateIndexes } from './indexes.ts';
import { updateEndpoints } from './readme.ts';
import { updateRewrites } from './rewrites.ts';
import { findUnexportedEndpoints, importModules } from './unexportedEndpoints.ts';

const { check } = parseOptions('npm run generate -- [OPTIONS]', {
  check: { type: 'boolean', help: 'write nothing, and exit with 1 if a file is out of date' },
});

const unexported = findUnexportedEndpoints(await importModules());
if (unexported.length > 0) throw new Error(unexported.join('\n'));

const openApiDocument = createOpenApiDocument();
const parameters = getDeclaredParameters();

const { paths: previousPaths = {} } = JSON.parse(readFileSync('public/openapi.json', 'utf8')) as {
  paths?: object;
};

const files = {
  'public/openapi.json': `${JSON.stringify(openApiDocument, null, 2)}\n`,
  'docs/api.md': insertLimits(readFileSync('docs/api.md', 'utf8')),
  'firebase.json': await formatUpdate('firebase.json', (text) =>
    updateRewrites(
      text,
      { endpoints, unknownPathId, otherFunctionIds },
      Object.keys(previousPaths),
    ),
  ),
  'firestore.indexes.json': await formatUpdate('firestore.indexes.json', (text) =>
    updateIndexes(text, COLLECTIONS),
  ),
  ...Object.fromEntries(
    ALERTS.map((path) => [path, replaceServiceFilter(readFileSync(path, 'utf8'))]),
  ),
  'monitoring/dashboard.json': await formatUpdate('monitoring/dashboard.json', () =>
    JSON.stringify(createDashboard(functionIds), null, 2),
  ),
  'functions/.env.example': formatExampleFile(parameters),
  'functions/.env.local': addMissingParameters(
    readFileSync('functions/.env.local', 'utf8'),
    parameters,
  ),
  'README.md': updateEndpoints(readFileSync('README.md', 'utf8')),
  'docs/data.md': updateCollections(readFileSync('docs/data.md', 'utf8')),
  'packages/client/src/operations.ts': await formatUpdate('packages/client/src/operations.ts', () =>
    renderClientOperations(),
  ),
};

for (const [path, text] of Object.entries(files)) {
  if (!check) {
    writeFileSync(path, text);
  } else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is out of date: run npm run generate.`);
    process.exitCode = 1;
  }
}

for (const warning of describeApiChanges(files['public/openapi.json'], ROOT)) console.warn(warning);
