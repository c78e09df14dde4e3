/** `npm run parameters`: builds the functions and writes functions/.env.example from their parameter definitions. */
import { writeFile } from 'node:fs/promises';
import { buildFunctionsApart } from '../../dev/functionsBuild.ts';
import { deployPlan } from './manifest.ts';
import { exampleFile } from './parameters.ts';

const build = await buildFunctionsApart();
try {
  const { parameters } = await deployPlan(build.folder);
  await writeFile('functions/.env.example', exampleFile(parameters));
} finally {
  await build.remove();
}
