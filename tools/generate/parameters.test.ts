import { addMissingParameters } from './parameters.ts';

test('addMissingParameters adds the parameters that a file lacks, with their defaults', () => {
  const parameters = [
    { name: 'REGION', type: 'string', default: 'us-central1', description: 'Where.' },
    { name: 'CACHE', type: 'boolean', default: true, description: 'Whether.' },
  ];
  const text = '# On the emulators\nREGION=europe-west1\n';
  const complete = '# On the emulators\nREGION=europe-west1\nCACHE=true\n';
  expect(addMissingParameters(text, parameters)).toBe(complete);
  expect(addMissingParameters(complete, parameters)).toBe(complete);
});
