/** `npm run build:hosting`: builds the folder that a deploy publishes (`hosting.public` in firebase.json). */
import { buildHosting } from './buildHosting.ts';

await buildHosting('deploy');
