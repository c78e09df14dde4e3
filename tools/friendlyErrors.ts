/**
 * Imported before all else by the commands that people run: an error with a sentence of ours ends the process without a
 * stack, also one that declarations throw while they are loaded. Other errors are faults of the program.
 */
import { FirestoreError } from '@tattoo-marketplace/firestore-rest';

process.on('uncaughtException', (error) => {
  const isOurs = error.constructor === Error || error instanceof FirestoreError;
  console.error(isOurs ? error.message : error);
  process.exit(1);
});
