/** `npm run hosting`: puts together the folder that a deploy hosts (`hosting.public` in firebase.json). */
import { readOptions } from '../commandLine.ts';
import { assembleHosting } from './assemble.ts';

readOptions('npm run hosting', {});
await assembleHosting('deploy');
