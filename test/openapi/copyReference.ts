import { cp, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What the reference page needs of swagger-ui-dist. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Puts Swagger UI where Hosting serves it from, `public/vendor`: the page asks no other host. */
export async function copyReference(root: string): Promise<void> {
  const { resolve } = createRequire(join(root, 'package.json'));
  const from = dirname(resolve('swagger-ui-dist/package.json'));
  const to = join(root, 'public/vendor');
  await mkdir(to, { recursive: true });
  await Promise.all(FILES.map((name) => cp(join(from, name), join(to, name))));
}
