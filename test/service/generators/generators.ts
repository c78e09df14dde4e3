import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Project } from './project.ts';

const DOCUMENT = resolve('public/openapi.json');

/** A client generator, and a program that uses the client that it generates from our document. */
export interface Generator {
  /** Writes the client into the project's folder `generated`. */
  readonly generate: (project: Project) => Promise<unknown>;
  /**
   * TypeScript that is checked against the client's types. It finds `baseUrl`, `token`, `artistId`, `demoArtist` and `flashUpdates`, and
   * gives `report` a page of the artist's flash, what reordering it returns, and the error of doing that without a token.
   */
  readonly program: string;
}

export const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-typescript, with openapi-fetch': {
    generate: ({ run }) =>
      run('openapi-typescript/bin/cli.js', DOCUMENT, '--output', 'generated/index.ts'),
    program: `
      import createClient from 'openapi-fetch';
      import type { paths } from './generated/index';

      const headers = { Authorization: \`Bearer \${token}\` };
      const api = createClient<paths>({ baseUrl });
      const page = await api.GET('/flash/artist/{id}/paginated', {
        params: { path: { id: artistId }, query: { limit: 2 } },
      });
      const reordered = await api.PUT('/flash/reorder', { headers, body: { flashUpdates } });
      const refused = await api.PUT('/flash/reorder', { body: { flashUpdates } });
      report(page.data, reordered.data?.success, refused.error?.message);
    `,
  },
  'openapi-typescript-codegen': {
    generate: ({ run }) =>
      run('openapi-typescript-codegen/bin/index.js', '--input', DOCUMENT, '--output', 'generated'),
    program: `
      import { ApiError, FlashService, OpenAPI } from './generated';

      OpenAPI.BASE = baseUrl;
      const page = await FlashService.flashListByArtist(artistId, 2);
      OpenAPI.TOKEN = token;
      const reordered = await FlashService.flashReorder({ flashUpdates });
      OpenAPI.TOKEN = undefined;
      const refused: unknown = await FlashService.flashReorder({ flashUpdates }).catch((error: unknown) => error);
      report(page, reordered.success, refused instanceof ApiError ? refused.body.message : undefined);
    `,
  },
  '@hey-api/openapi-ts, which checks requests and answers by zod': {
    generate: generateChecking,
    program: `
      import { artistsList, flashListByArtist, flashReorder, galleryListByArtist } from './generated';
      import { client } from './generated/client.gen';

      client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? token : undefined) });
      const page = await flashListByArtist({ path: { id: artistId }, query: { limit: 2 } });
      const reordered = await flashReorder({ body: { flashUpdates } });
      client.setConfig({ baseUrl, auth: undefined });
      const refused = await flashReorder({ body: { flashUpdates } });

      // Throw where an answer is not as the document says.
      await artistsList({ throwOnError: true });
      await galleryListByArtist({ path: { artistId: demoArtist }, throwOnError: true });
      const others = async () => Response.json({ photos: [{ id: 1 }], total: 1, hasMore: false });
      const fault = await galleryListByArtist({ path: { artistId }, fetch: others, throwOnError: true })
        .then(() => '', (error: unknown) => (error instanceof Error ? error.message : ''));
      if (!fault.includes('expected string, received number')) throw new Error('A wrong answer is taken.');
      report(page.data, reordered.data?.success, refused.error?.message);
    `,
  },
};

/**
 * Generates a client with `@hey-api/openapi-ts` that validates requests and responses against the document's schemas.
 */
async function generateChecking({ folder, run }: Project): Promise<void> {
  const configuration = {
    input: DOCUMENT,
    output: 'generated',
    plugins: [
      '@hey-api/client-fetch',
      '@hey-api/typescript',
      'zod',
      { name: '@hey-api/sdk', validator: true },
    ],
  };
  await writeFile(
    join(folder, 'openapi-ts.config.mjs'),
    `export default ${JSON.stringify(configuration)};`,
  );
  await run('@hey-api/openapi-ts/bin/run.js');
}
