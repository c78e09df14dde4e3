/** `npm run build:hosting`: puts together the folder that a deploy hosts (`hosting.public` in firebase.json). */
import { buildHosting } from './buildHosting.ts';

await buildHosting('deploy');
