/** The environment of this process, by the variables that the platform and the emulators set. */

/** Returns whether the platform runs this process. In the emulator and in tests, other code controls the process. */
export function isDeployed(): boolean {
  return process.env.K_SERVICE !== undefined && !isFunctionsEmulator();
}

/** Returns whether the Functions emulator runs this process, as with `npm start`. */
export function isFunctionsEmulator(): boolean {
  return process.env.FUNCTIONS_EMULATOR === 'true';
}

/** Returns the ID of the project. The platform sets one of these variables. */
export function getProjectId(): string {
  const { GCLOUD_PROJECT, GOOGLE_CLOUD_PROJECT, FIREBASE_CONFIG } = process.env;
  const projectId =
    GCLOUD_PROJECT ??
    GOOGLE_CLOUD_PROJECT ??
    (JSON.parse(FIREBASE_CONFIG ?? '{}') as { projectId?: string }).projectId;
  if (projectId !== undefined) return projectId;
  throw new Error(
    'No environment variable names a project. Set GCLOUD_PROJECT to the ID of the project.',
  );
}
