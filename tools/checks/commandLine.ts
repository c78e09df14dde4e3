import { FirestoreError } from '@tattoo-marketplace/firestore-rest';

/** An error that its message explains to whoever runs a command, so that it is shown without a stack. */
export class UserError extends Error {}

/** The project of `--project`. From here on, errors of this process that the user can mend are one sentence. */
export function requireProject(project: string | undefined): string {
  process.on('uncaughtException', (error) => {
    const isPlain = error instanceof UserError || error instanceof FirestoreError;
    console.error(isPlain ? error.message : error);
    process.exit(1);
  });
  if (project === undefined) throw new UserError('Name the project: --project YOUR_PROJECT');
  return project;
}
