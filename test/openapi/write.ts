/**
 * `npm run openapi`: writes public/openapi.json and public/requests.http from the declarations of
 * the endpoints, and the client's types from the document.
 * With `--check` it writes nothing, and fails where a file is not what it would write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocument } from './document.ts';
import { requestCollection } from './requests.ts';

const document = openApiDocument();
const files = {
  'public/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'public/requests.http': requestCollection(),
  'public/client/schema.d.ts': `${COMMENT_HEADER}${astToString(await openapiTS(document as OpenAPI3))}`,
};

for (const [path, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is stale: npm run openapi writes it anew.`);
    process.exitCode = 1;
  }
}
