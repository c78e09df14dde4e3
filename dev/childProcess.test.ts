import { spawn } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { isListening, findFreePorts, LOOPBACK } from './ports.ts';
import { ROOT } from './root.ts';
import { startServer } from './childProcess.ts';

test('startServer fails with the output of a program that exits before it listens', async () => {
  const [port = 0] = await findFreePorts(1);
  const args = ['--eval', "console.log('no such planet'); process.exitCode = 3"];
  const options = { cwd: ROOT, onLine: () => undefined };

  await expect(startServer('The program', port, process.execPath, args, options)).rejects.toThrow(
    'The program did not start (3):\nno such planet',
  );
});

test.each([
  { name: 'in the same process group', detached: false },
  { name: 'in its own process group', detached: true },
])(
  'a program and its child $name are killed with the process that started it',
  async ({ detached }) => {
    const ports = await findFreePorts(2);
    const [program, child] = ports.map(
      (port) => `net.createServer().listen(${port}, '${LOOPBACK}');`,
    );
    const toSpawnArguments = (code: string) =>
      `process.execPath, ['--eval', ${JSON.stringify(code)}]`;
    const programWithChild = `${program} child_process.spawn(${toSpawnArguments(child ?? '')}, { detached: ${detached} });`;
    const code = `
    import { startChild } from './dev/childProcess.ts';
    startChild(${toSpawnArguments(programWithChild)}, { cwd: '.', onLine: () => undefined });`;
    const args = ['--input-type=module', '--eval', code];
    const starter = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
    while ((await filterListening(ports)).length < 2) expect(starter.exitCode).toBeNull();

    starter.kill('SIGKILL');
    while ((await filterListening(ports)).length > 0) await setImmediate();

    expect(await filterListening(ports)).toEqual([]);
  },
);

/** Returns the ports on which a program listens. */
async function filterListening(ports: readonly number[]): Promise<number[]> {
  const states = await Promise.all(ports.map(isListening));
  return ports.filter((_, index) => states[index]);
}
