import * as z from 'zod';
import { isChecked, markChecked } from '../functions/src/checkedLists.ts';
import { withCheckedDocuments } from '../functions/src/http/response.ts';

const Thing = z.object({ id: z.string() });
const Other = z.object({ id: z.string() });
const page = withCheckedDocuments(z.object({ things: z.array(Thing), total: z.number() }));

test('a list is known as checked by its own schema only', () => {
  const things = markChecked([{ id: 'a' }], Thing);

  expect(isChecked(things, Thing)).toBe(true);
  expect(isChecked(things, Other)).toBe(false);
  expect(isChecked([...things], Thing)).toBe(false);
  expect(isChecked(undefined, Thing)).toBe(false);
});

test('a checked list takes no further element, and its elements no further field', () => {
  const things = [{ id: 'a' }];
  markChecked(things, Thing);

  expect(() => things.push({ id: 'b' })).toThrow(TypeError);
  expect(() => Object.assign(things[0] as object, { secret: 1 })).toThrow(TypeError);
});

test('a response uses a checked list as it is', () => {
  const things = markChecked([{ id: 'a' }], Thing);

  expect((page.parse({ things, total: 1 }) as { things: unknown }).things).toBe(things);
});

test.each([
  ['unchecked documents', [{ id: 'a', secret: 1 }]],
  [
    'copies of checked ones with more fields',
    markChecked([{ id: 'a' }], Thing).map((thing) => ({ ...thing, secret: 1 })),
  ],
  ['documents checked by another schema', markChecked([{ id: 'a', secret: 1 }], Other)],
])('a response has no unnamed field of %s', (_what, things) => {
  expect(page.parse({ things, total: 1, secret: 1 })).toEqual({ things: [{ id: 'a' }], total: 1 });
});

test('a response with a document that does not match its schema is rejected', () => {
  expect(() => page.parse({ things: [{ id: 7 }], total: 1 })).toThrow(z.ZodError);
});

test('a response that is a list of documents is checked in the same way', () => {
  const list = withCheckedDocuments(z.array(Thing));
  const things = markChecked([{ id: 'a' }], Thing);

  expect(list.parse([{ id: 'a', secret: 1 }])).toEqual([{ id: 'a' }]);
  expect(list.parse(things)).toBe(things);
});
