/** The option of every check. */
export const PROJECT_OPTION = { type: 'string', value: 'P', help: 'the Firebase project' } as const;

/** Returns the project of `--project`; throws without one. */
export function requireProject(project: string | undefined): string {
  if (!project) throw new Error('Name the project: --project YOUR_PROJECT');
  return project;
}
