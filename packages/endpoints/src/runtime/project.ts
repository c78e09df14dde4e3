/** The project of this process, and how the process signs in to its database. */
import { createMetadataTokenSource } from '@tattoo-marketplace/firestore-rest';

/** The access tokens for Firestore, which a process fetches while it starts. */
export const firestoreTokenSource = createMetadataTokenSource(
  'https://www.googleapis.com/auth/datastore',
);

/** The id of the project. The platform sets one of these variables. */
export function getProjectId(): string {
  const { GCLOUD_PROJECT, GOOGLE_CLOUD_PROJECT, FIREBASE_CONFIG } = process.env;
  const named = GCLOUD_PROJECT ?? GOOGLE_CLOUD_PROJECT;
  if (named !== undefined) return named;
  const config = JSON.parse(FIREBASE_CONFIG ?? '{}') as { projectId?: string };
  if (config.projectId === undefined) throw new Error('The environment does not name a project.');
  return config.projectId;
}
