/**
 * Clients from third-party generators for public/openapi.json: they compile under strict rules, and can call the
 * service.
 */
import { EXAMPLE_CALLER } from '../../../functions/src/http/declaration.ts';
import { signedIn } from '../../support/accounts.ts';
import { storedListing } from '../../support/factories.ts';
import { freshId, stackStore } from '../../support/firestore.ts';
import { testStack } from '../../support/stack.ts';
import { GENERATORS } from './generators.ts';
import { inProject } from './project.ts';

const { baseAddress: baseUrl } = testStack();
const store = stackStore();

/** Adds constants to a program, with types for the compiler. */
function constants(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}

const REPORT = `
  function report(page: { flash: { id: string }[]; total: number } | undefined, success?: boolean, refusal?: string) {
    console.log(JSON.stringify({ ids: page?.flash.map(({ id }) => id), total: page?.total, success, refusal }));
  }
`;

test.each(Object.entries(GENERATORS))(
  '%s: generates a client that compiles, reads, writes, and reports errors',
  async (_name, { generate, program }) => {
    const { uid: artistId, token } = await signedIn();
    const ids = [0, 1, 2].map(() => freshId('flash'));
    await store.setIn(
      'flash',
      Object.fromEntries(ids.map((id, order) => [id, storedListing({ artistId, order })])),
    );
    const flashUpdates = ids.map((id, index) => ({ id, order: 10 - index }));

    const printed = await inProject(async (project) => {
      await generate(project);
      return project.compileAndRun(
        constants({ baseUrl, token, artistId, demoArtist: EXAMPLE_CALLER, flashUpdates }) +
          REPORT +
          program,
      );
    });

    expect(JSON.parse(printed)).toEqual({
      ids: ids.slice(0, 2),
      total: 3,
      success: true,
      refusal: expect.stringMatching(/^Sign in first/) as unknown,
    });
    expect((await store.get(`flash/${ids[2] ?? ''}`))?.order).toBe(8);
  },
);
