/** The option that every check has. */
export const PROJECT = { type: 'string', value: 'P', help: 'the Firebase project' } as const;

/** The project of `--project`. */
export function requireProject(project: string | undefined): string {
  if (!project) throw new Error('Name the project: --project YOUR_PROJECT');
  return project;
}
