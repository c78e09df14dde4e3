/** The contract where every field of every collection is stored under another name: only the models know these names. */
import type * as z from 'zod';
import { COLLECTIONS } from '../../functions/declared/collections.ts';
import { inProcessService } from '../support/inProcessService.ts';
import { histories } from './generator.ts';
import { expectExplained } from './play.ts';

type Declare = (path: string, options: { readonly schema: z.ZodObject }) => unknown;
type StoredAs = (field: z.ZodType, name: string) => z.ZodType;

jest.mock('../../functions/src/documents/collection.ts', () => {
  const source = '../../functions/src';
  const { storedAs } = jest.requireActual<{ storedAs: StoredAs }>(
    `${source}/documents/storedNames.ts`,
  );
  const actual = jest.requireActual<{ collection: Declare }>(`${source}/documents/collection.ts`);
  const collection: Declare = (path, options) => {
    const { id, ...fields } = options.schema.shape as Record<string, z.ZodType>;
    const renamed = Object.entries(fields).map(([name, field]) => [
      name,
      storedAs(field, `${name}Renamed`),
    ]);
    const schema = options.schema.extend({ id, ...Object.fromEntries(renamed) });
    return actual.collection(path, { ...options, schema });
  };
  return { ...actual, collection };
});
// firestore.indexes.json has the usual names.
jest.mock('../../packages/firestore-embedded/src/indexes.ts', () => ({
  ...jest.requireActual<object>('../../packages/firestore-embedded/src/indexes.ts'),
  serves: () => true,
}));

const service = inProcessService();

test('the contract explains a service that stores all fields under other names', async () => {
  const usual = COLLECTIONS.flatMap(({ path, schema, names }) =>
    Object.keys(schema.shape)
      .filter((field) => names.pathOf(field) === field)
      .map((field) => `${path} ${field}`),
  );
  expect(usual).toEqual(COLLECTIONS.map(({ path }) => `${path} id`));

  await expectExplained(service, histories(), { runs: 5 * COLLECTIONS.length });
});
