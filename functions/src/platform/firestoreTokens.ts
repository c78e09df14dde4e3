import { metadataTokens } from '@tattoo-marketplace/firestore-rest';

/** The access tokens for Firestore, which a process fetches while it starts. */
export const firestoreTokens = metadataTokens('https://www.googleapis.com/auth/datastore');
