import { initializeApp } from 'firebase-admin/app';
import { getStorage } from 'firebase-admin/storage';
import { onDocumentDeleted } from 'firebase-functions/firestore';
import { databaseId, region, serviceAccount } from '@tattoo-marketplace/endpoints';

/**
 * Deletes the file of a removed photo from Cloud Storage. `sourceData.storageRef` is the path of the
 * file in the project's default bucket.
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
    if (typeof path !== 'string' || path === '') return;
    const file = getStorage(initializeApp()).bucket().file(path);
    // An event may be delivered twice. The second time, the file does not exist.
    await file.delete({ ignoreNotFound: true });
  },
);
