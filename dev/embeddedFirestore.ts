import { join } from 'node:path';
import type { EmbeddedFirestoreOptions } from '@tattoo-marketplace/firestore-embedded';
import { ROOT } from './root.ts';

/** The indexes of this service, and what to do here where the embedded Firestore refuses a request. */
export const EMBEDDED: EmbeddedFirestoreOptions = {
  indexes: join(ROOT, 'firestore.indexes.json'),
  hints: {
    unsupported: 'Google’s own emulator has it (docs/extending.md, "Which Firestore").',
    missingIndex: 'Declare its list and run npm run generate, or add to firestore.indexes.json:',
  },
};
