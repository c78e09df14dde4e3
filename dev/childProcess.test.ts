import { freePortList } from './ports.ts';
import { ROOT } from './root.ts';
import { startServer } from './childProcess.ts';

test('the start of a program that ends before it listens fails with its output', async () => {
  const [port = 0] = await freePortList(1);
  const args = ['--eval', "console.log('no such planet'); process.exitCode = 3"];
  const options = { cwd: ROOT, onLine: () => undefined };

  await expect(startServer('The program', port, process.execPath, args, options)).rejects.toThrow(
    'The program did not start (3):\nno such planet',
  );
});
