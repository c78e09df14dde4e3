/**
 * Import this first in every command-line tool: it prints expected errors (`Error`, `FirestoreError`) as one line with their
 * causes, including those thrown while modules load. Any other error is a bug and keeps its stack trace.
 */
import { FirestoreError } from '@tattoo-marketplace/firestore-rest';
import { formatError } from './formatError.ts';

process.on('uncaughtException', (error) => {
  const isExpected = error.constructor === Error || error instanceof FirestoreError;
  console.error(isExpected ? formatError(error) : error);
  process.exit(1);
});
