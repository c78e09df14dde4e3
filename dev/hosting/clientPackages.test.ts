import { readFileSync } from 'node:fs';
import { clientNow, publishedClients, sourceVersion } from './clientPackages.ts';

test.each(Object.entries(publishedClients()))(
  'the package of client %s is the one that was published',
  (version, { integrity }) => {
    expect(clientNow(version).integrity).toBe(integrity);
  },
);

test('CHANGELOG.md says what is new in a client that has changed since it was published', () => {
  const [newest = '', { sources = '' } = {}] = Object.entries(publishedClients()).at(-1) ?? [];
  const isDescribed = /^### Unreleased\n\n- /m.test(readFileSync('CHANGELOG.md', 'utf8'));

  expect(sourceVersion()).toBe(newest);
  expect(isDescribed).toBe(clientNow(newest).sources !== sources);
});

test.each(['packages/client/README.md', 'tools/generate/description.md'])(
  '%s says how to install the newest package',
  (file) => {
    expect(readFileSync(file, 'utf8')).toContain(`/client-${sourceVersion()}.tgz`);
  },
);
