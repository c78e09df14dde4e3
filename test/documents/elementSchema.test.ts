import * as z from 'zod';
import { collection } from '../../functions/src/documents/collection.ts';
import { responseWriter } from '../../functions/src/http/responseBody.ts';

const things = collection('things', {
  purpose: 'Things.',
  schema: z
    .object({
      id: z.string(),
      owner: z.string().optional().describe('Whose it is.'),
      order: z.number().optional(),
      state: z.enum(['new', 'old']).default('new'),
      maker: z
        .object({
          name: z.string().optional(),
          isKnown: z.boolean().optional(),
          home: z.object({ city: z.string().optional() }).optional(),
        })
        .optional()
        .describe('Who made it.'),
    })
    .meta({ id: 'Thing', description: 'A thing.' }),
});
const { element } = things.list({
  of: ['owner'],
  where: { state: 'old', 'maker.isKnown': true, 'maker.home.city': 'Oslo' },
  orderBy: 'order',
});

type Thing = z.output<typeof element>;

const COMPLETE: Thing = {
  id: 'a',
  owner: 'b',
  state: 'old',
  maker: { isKnown: true, home: { city: 'Oslo' } },
};
// @ts-expect-error The maker has a home.
const HOMELESS: Thing = { ...COMPLETE, maker: { isKnown: true } };
// @ts-expect-error It has an owner.
const OWNERLESS: Thing = { ...COMPLETE, owner: undefined };

test('elements require what their list filters by, not what orders it, and are described as before', () => {
  const { $defs } = z.toJSONSchema(element, { io: 'output' });

  expect($defs?.Thing).toMatchObject({
    description: 'A thing.',
    required: ['id', 'owner', 'state', 'maker'],
    properties: {
      owner: { description: 'Whose it is.' },
      maker: {
        description: 'Who made it.',
        required: ['isKnown', 'home'],
        properties: { home: { required: ['city'] } },
      },
    },
  });
});

test('an element that lacks a value all the same is written without it', () => {
  const things = [COMPLETE, HOMELESS, OWNERLESS, { id: 'c' }];
  const write = responseWriter({ method: 'GET', path: '/things', response: z.array(element) });

  expect(write(things)).toBe(JSON.stringify(things));
});

test('a list cannot be filtered by a field that its documents do not have', () => {
  // @ts-expect-error Nor does it compile.
  expect(() => things.list({ where: { state: 'old', 'maker.isknown': true } })).toThrow(
    'Unrecognized key: "isknown"',
  );
});
