import * as z from 'zod';
import { isChecked, markChecked } from '../functions/src/checkedObjects.ts';
import { withCheckedDocuments } from '../functions/src/http/response.ts';

const Thing = z.object({ id: z.string() });
const Other = z.object({ id: z.string() });
const page = withCheckedDocuments(z.object({ things: z.array(Thing), total: z.number() }));

test('an object is known as checked by its own schema only', () => {
  const thing = markChecked({ id: 'a' }, Thing);

  expect(isChecked(thing, Thing)).toBe(true);
  expect(isChecked(thing, Other)).toBe(false);
  expect(isChecked({ ...thing }, Thing)).toBe(false);
  expect(isChecked(undefined, Thing)).toBe(false);
});

test('a checked object takes no further field', () => {
  const thing: Record<string, unknown> = markChecked({ id: 'a' }, Thing);

  expect(() => {
    thing.secret = 1;
  }).toThrow(TypeError);
});

test('a response takes a checked document as it is', () => {
  const thing = markChecked({ id: 'a' }, Thing);
  const parsed = page.parse({ things: [thing], total: 1 }) as { things: unknown[] };

  expect(parsed.things[0]).toBe(thing);
});

test.each([
  ['one that nobody has checked', { id: 'a', secret: 1 }],
  ['a copy of a checked one with more fields', { ...markChecked({ id: 'a' }, Thing), secret: 1 }],
  ['one that another schema has checked', markChecked({ id: 'a', secret: 1 }, Other)],
])('a response has no unnamed field of %s', (_what, thing) => {
  expect(page.parse({ things: [thing], total: 1, secret: 1 })).toEqual({
    things: [{ id: 'a' }],
    total: 1,
  });
});

test('a response with a document that does not fit its schema is refused', () => {
  expect(() => page.parse({ things: [{ id: 7 }], total: 1 })).toThrow(z.ZodError);
});

test('a response that is a list of documents is checked alike', () => {
  const list = withCheckedDocuments(z.array(Thing));

  expect(list.parse([{ id: 'a', secret: 1 }, markChecked({ id: 'b' }, Thing)])).toEqual([
    { id: 'a' },
    { id: 'b' },
  ]);
});
