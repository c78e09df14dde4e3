import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen, LOOPBACK } from '../../dev/ports.ts';

/** The first page of users: 100 documents without required fields. */
const PAGE = Array.from({ length: 100 }, (_, id) => ({
  document: {
    name: `projects/p/databases/(default)/documents/users/${id}`,
    fields: {},
    updateTime: '2026-11-28T12:00:00Z',
  },
}));

test.each<{
  name: string;
  onSecondPage: (response: ServerResponse, interrupt: () => void) => void;
}>([
  {
    name: 'an error of Firestore',
    onSecondPage: (response) => {
      response.writeHead(403, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 403, status: 'PERMISSION_DENIED' } }));
    },
  },
  {
    name: 'Ctrl-C',
    onSecondPage: (_response, interrupt) => {
      interrupt();
    },
  },
])('check:data prints what it has found after $name', async ({ onSecondPage }) => {
  let pages = 0;
  const respond = (request: string, response: ServerResponse) => {
    // Other collections are empty. A new collection may be read first.
    const isUsers = request.includes('"collectionId":"users"');
    if (isUsers && ++pages > 1) {
      onSecondPage(response, () => child.kill('SIGINT'));
    } else {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(isUsers ? PAGE : [{ readTime: '2026-11-28T12:00:00Z' }]));
    }
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      respond(body, response);
    });
  });
  const env = { ...process.env, FIRESTORE_EMULATOR_HOST: `${LOOPBACK}:${await listen(server)}` };
  const child = spawn(process.execPath, ['tools/data/checkData.ts', '--project', 'p'], { env });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  server.closeAllConnections();
  await close(server);

  expect(code).toBe(1);
  expect(stderr).toContain('  users/0: userType is missing\n');
  expect(stdout).toMatch(/^users: 100 documents\n +100 {2}userType is missing\n +users\/0, /m);
});
