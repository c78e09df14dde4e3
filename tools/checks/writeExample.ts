/** `npm run parameters`: writes functions/.env.example from the declared parameters. */
import { writeFileSync } from 'node:fs';
import { declaredParameters, exampleFile } from './parameters.ts';

writeFileSync('functions/.env.example', exampleFile(declaredParameters()));
