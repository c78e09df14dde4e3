/** `npm run build:hosting`: puts together the folder that a deploy hosts (`hosting.public` in firebase.json). */
import { assembleHosting } from './assemble.ts';

await assembleHosting('deploy');
