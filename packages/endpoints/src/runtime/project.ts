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
