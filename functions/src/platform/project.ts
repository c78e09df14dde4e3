/** The id of the project. The platform sets one of these variables. */
export function projectId(): string {
  const { GCLOUD_PROJECT, GOOGLE_CLOUD_PROJECT, FIREBASE_CONFIG } = process.env;
  const named = GCLOUD_PROJECT ?? GOOGLE_CLOUD_PROJECT;
  if (named !== undefined) return named;
  const config = JSON.parse(FIREBASE_CONFIG ?? '{}') as { projectId?: string };
  if (config.projectId === undefined) throw new Error('The environment does not name a project.');
  return config.projectId;
}
