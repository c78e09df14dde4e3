import { freePortList } from './ports.ts';
import { ROOT } from './root.ts';
import { startServer } from './serverProcess.ts';

/** Runs a one-line program, and returns its other output. */
async function started(source: (port: number) => string) {
  const [port = 0] = await freePortList(1);
  const lines: string[] = [];
  const onLine = (line: string) => lines.push(line);
  const args = ['--eval', source(port)];
  const child = await startServer('The program', port, process.execPath, args, {
    cwd: ROOT,
    onLine,
  });
  return { child, lines };
}

test('the start of a program that ends before it listens fails with its output', async () => {
  await expect(
    started(() => "console.log('no such planet'); process.exitCode = 3"),
  ).rejects.toThrow('The program did not start (3):\nno such planet');
});

test('a listening program has started, and can be stopped', async () => {
  const { child, lines } = await started(
    (port) =>
      `console.log('here'); require('node:net').createServer().listen(${port}, '127.0.0.1')`,
  );

  await child.stop();

  expect(await child.ended).toBe('SIGINT');
  expect(lines).toEqual(['here']);
});
