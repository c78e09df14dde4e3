/**
 * `npm run generate`: writes what is generated from the declarations, schemas and parameters: the document, the request
 * collection, the client's types and operations, the rewrites in firebase.json, the lists of docs/data.md, and
 * functions/.env.example. With `--check` it writes nothing, and fails if a file is out of date.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { declaredParameters, exampleFile } from '../checks/parameters.ts';
import { dataGuide } from '../data/guide.ts';
import { commonJsFiles, withOperations, withOperationTypes } from './client.ts';
import { openApiDocument } from './document.ts';
import { requestCollection } from './requests.ts';
import { withRewrites } from './rewrites.ts';

const CLIENT = 'public/client';

/** A source file of the client, updated and formatted. */
async function source(name: string, change: (file: string) => string): Promise<string> {
  const filepath = `${CLIENT}/${name}`;
  const changed = change(readFileSync(filepath, 'utf8'));
  return formatted(filepath, changed);
}

async function formatted(filepath: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}

const document = openApiDocument();
const code = await source('index.js', withOperations);
const types = await source('index.d.ts', withOperationTypes);
const client: Readonly<Record<string, string>> = {
  'index.js': code,
  'index.d.ts': types,
  'schema.d.ts': `${COMMENT_HEADER}${astToString(await openapiTS(document as OpenAPI3))}`,
  ...commonJsFiles(code, types),
};
const files = {
  'public/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'public/requests.http': requestCollection(),
  'firebase.json': await formatted(
    'firebase.json',
    JSON.stringify(withRewrites(readFileSync('firebase.json', 'utf8')), null, 2),
  ),
  'functions/.env.example': exampleFile(declaredParameters()),
  'docs/data.md': await formatted('docs/data.md', dataGuide()),
  ...Object.fromEntries(Object.entries(client).map(([name, text]) => [`${CLIENT}/${name}`, text])),
};

for (const [path, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is out of date: run npm run generate.`);
    process.exitCode = 1;
  }
}
