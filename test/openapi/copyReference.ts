import { copyFile, mkdir, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What the reference page needs of swagger-ui-dist. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/**
 * Puts Swagger UI where Hosting serves it from, `public/vendor`: the page asks no other host. Each file is replaced in
 * one step, as a running service may be serving it.
 */
export async function copyReference(root: string): Promise<void> {
  const { resolve } = createRequire(join(root, 'package.json'));
  const from = dirname(resolve('swagger-ui-dist/package.json'));
  const to = join(root, 'public/vendor');
  await mkdir(to, { recursive: true });
  await Promise.all(
    FILES.map(async (name) => {
      const unfinished = join(to, `.${name}-${process.pid}`);
      await copyFile(join(from, name), unfinished);
      await rename(unfinished, join(to, name));
    }),
  );
}
