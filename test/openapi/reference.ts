/**
 * `npm run reference`: completes public/ for Hosting, before a deploy.
 */
import { copyReference } from './copyReference.ts';

await copyReference(process.cwd());
