/** What the rehearsal expects to be empty is not, if something is wrong. */
import { pagesWithoutPolicy, requiredPackages, rewriteTargets } from './expected.ts';

test('rewrites lead to services, each once, or to what is no service', () => {
  const run = { serviceId: 'flash-reorder', region: 'europe-west1' };

  expect(
    rewriteTargets([
      { glob: '/b', run },
      { glob: '/c', run },
      { glob: '/a', function: 'old' },
    ]),
  ).toEqual(['/a leads to old', 'europe-west1/flash-reorder']);
});

test('a page needs a strict policy at each of its paths', () => {
  const strict = { 'Content-Security-Policy': "default-src 'none'; script-src 'self'" };
  const loose = { 'Content-Security-Policy': 'default-src *' };
  const withHeaders = (glob: string, headers: Record<string, string>) =>
    pagesWithoutPolicy(['/index.html', '/demo/a.html', '/x.js'], { headers: [{ glob, headers }] });

  expect(withHeaders('**', strict)).toEqual([]);
  expect(withHeaders('/demo/**', strict)).toEqual(['/index.html', '/']);
  expect(withHeaders('**', loose)).toEqual(['/index.html', '/', '/demo/a.html', '/demo/a.html']);
});

test('a bundle requires packages that are neither of Node nor its own files', () => {
  const bundle = 'require("node:fs"); require("crypto"); require("./x"); require("firebase-admin")';

  expect(requiredPackages(bundle)).toEqual(['firebase-admin']);
});
