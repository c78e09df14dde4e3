import { expectEqual } from './expectEqual.ts';

test('expectEqual shows its label if the values differ', () => {
  expectEqual('Missing fields', [], []);

  expect(() => {
    expectEqual('Missing fields', ['name'], []);
  }).toThrow(/Missing fields[^]*name/);
});
