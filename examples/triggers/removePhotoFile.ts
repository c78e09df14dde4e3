import { initializeApp } from 'firebase-admin/app';
import { getStorage } from 'firebase-admin/storage';
import { onDocumentDeleted } from 'firebase-functions/firestore';
import { databaseId, isDocumentId, region, serviceAccount } from '@tattoo-marketplace/endpoints';

/**
 * Deletes the file of a removed photo from Cloud Storage. `sourceData.storageRef` is the path of the file in the project's
 * default bucket. Ignores a path outside of the folder of the photo's artist: its writer could delete any file.
 */
export const removePhotoFile = onDocumentDeleted(
  {
    document: 'gallery/{photoId}',
    database: databaseId.param,
    region: region.param,
    serviceAccount: serviceAccount.param,
    retry: true,
  },
  async ({ data: photo }) => {
    const path: unknown = photo?.get('sourceData.storageRef');
    const artistId: unknown = photo?.get('artistId');
    if (typeof path !== 'string' || typeof artistId !== 'string') return;
    if (!isDocumentId(artistId) || !path.startsWith(`gallery/${artistId}/`)) return;
    const file = getStorage(initializeApp()).bucket().file(path);
    // An event may be delivered twice. The second time, the file does not exist.
    await file.delete({ ignoreNotFound: true });
  },
);
