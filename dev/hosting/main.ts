/** `npm run hosting`: adds the generated files to public/ before a deploy. */
import { completeHosting } from './complete.ts';

await completeHosting();
