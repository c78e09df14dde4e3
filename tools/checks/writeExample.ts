/** `npm run parameters`: builds the functions and writes functions/.env.example from their parameter definitions. */
import { writeFile } from 'node:fs/promises';
import { sourcePlan } from './manifest.ts';
import { exampleFile } from './parameters.ts';

const { parameters } = await sourcePlan();
await writeFile('functions/.env.example', exampleFile(parameters));
