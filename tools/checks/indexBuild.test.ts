import { describeBuild } from './indexBuild.ts';

test('describeBuild counts the indexes that are being built', () => {
  const ready = { name: 'a', state: 'READY' } as const;
  const building = { name: 'b', state: 'CREATING' } as const;

  expect(describeBuild([])).toBeUndefined();
  expect(describeBuild([ready, building])).toBe('Waiting for 1 of 2 indexes');
  expect(describeBuild([ready, ready])).toBeUndefined();
});

test('describeBuild throws if an index cannot be built', () => {
  expect(() => describeBuild([{ name: 'c', state: 'NEEDS_REPAIR' }])).toThrow(
    'Firestore could not build the index c: delete it, and deploy it again.',
  );
});
