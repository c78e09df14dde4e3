import { parseOptions } from './commandLine.ts';

const OPTIONS = { offset: { type: 'string', value: 'N', help: 'the offset' } } as const;

/** Parses arguments that are invalid. Returns the message. */
function parseInvalid(args: readonly string[]): unknown {
  jest.replaceProperty(process, 'argv', ['node', 'start.ts', ...args]);
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  parseOptions('npm start -- [OPTIONS]', OPTIONS);
  expect(exit).toHaveBeenCalledWith(1);
  return write.mock.calls[0]?.[0];
}

test('parseOptions says how PowerShell passes options on, if an argument is no option', () => {
  expect(parseInvalid(['300'])).toMatch(
    /^Unexpected argument '300'.+ PowerShell removes -- unless it is in quotes: npm start "--" \[OPTIONS\]\n\nnpm start/s,
  );
});

test('parseOptions prints the usage for an unknown option', () => {
  expect(parseInvalid(['--other'])).toMatch(
    /^Unknown option '--other'[^]*npm start -- \[OPTIONS\]\n\n {2}--offset N/,
  );
});
