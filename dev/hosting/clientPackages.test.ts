import { readFileSync } from 'node:fs';
import { clientNow, publishedClients, sourceVersion } from './clientPackages.ts';

test.each(Object.entries(publishedClients()))(
  'the package of client %s is the one that was published',
  (version, { integrity }) => {
    expect(clientNow(version).integrity).toBe(integrity);
  },
);

test('the newest package has the client of today', () => {
  const [newest = '', { sources = '' } = {}] = Object.entries(publishedClients()).at(-1) ?? [];
  const advice = `The client has changed since ${newest}: raise its version in public/client/package.json, run npm install and npm run client:pack, and add it to CHANGELOG.md.`;

  expect([newest, clientNow(newest).sources, advice]).toEqual([sourceVersion(), sources, advice]);
});

test.each(['public/client/README.md', 'tools/openapi/description.md'])(
  '%s says how to install the newest package',
  (file) => {
    expect(readFileSync(file, 'utf8')).toContain(`/client-${sourceVersion()}.tgz`);
  },
);
