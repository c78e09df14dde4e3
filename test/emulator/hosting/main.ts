/**
 * `npm run hosting`: completes public/ with what Hosting serves beside it, before a deploy.
 */
import { completeHosting } from './complete.ts';

await completeHosting(process.cwd());
