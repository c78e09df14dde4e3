import { globSync, readFileSync } from 'node:fs';

test('functions/src/index.ts imports every endpoint', () => {
  const index = readFileSync('functions/src/index.ts', 'utf8');
  const files = globSync('*/*.ts', { cwd: 'functions/src' });
  const endpoints = files.filter((file) =>
    readFileSync(`functions/src/${file}`, 'utf8').includes('= endpoint({'),
  );

  expect(endpoints).not.toEqual([]);
  const forgotten = endpoints.filter((file) => !index.includes(`from './${file}'`));
  expect({ 'functions/src/index.ts must import and export': forgotten }).toEqual({
    'functions/src/index.ts must import and export': [],
  });
});
