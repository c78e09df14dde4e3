import { OAuth2Client } from 'google-auth-library';

/** The settings with which the Admin SDK connects to the embedded Firestore. The SDK's own fetch is an ES module, which jest cannot load. */
export const ADMIN_SDK_SETTINGS = {
  preferRest: true,
  authClient: new OAuth2Client({
    credentials: { access_token: 'owner' },
    transporterOptions: { fetchImplementation: fetch },
  }),
};
