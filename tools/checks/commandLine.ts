import { FirestoreError } from '@tattoo-marketplace/firestore-rest';
import { readOptions } from '../../dev/commandLine.ts';

/** An error that its message explains to whoever runs a command, so that it is shown without a stack. */
export class UserError extends Error {}

/** The option that every check has. */
export const PROJECT = { type: 'string', value: 'P', help: 'the Firebase project' } as const;

/** Like `readOptions`. From here on, errors of this process that the user can mend are shown without a stack. */
export const readCommand: typeof readOptions = (command, options) => {
  process.on('uncaughtException', (error) => {
    const isPlain = error instanceof UserError || error instanceof FirestoreError;
    console.error(isPlain ? error.message : error);
    process.exit(1);
  });
  return readOptions(command, options);
};

/** An argument as one writes it in a shell, on Windows too: quoted, if it needs to be. */
export function shellArgument(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `"${text}"`;
}

/** The project of `--project`. */
export function requireProject(project: string | undefined): string {
  if (!project) throw new UserError('Name the project: --project YOUR_PROJECT');
  return project;
}
