import { OAuth2Client } from 'google-auth-library';

/** Settings of the Admin SDK's Firestore for the embedded one. With its own fetch, an ES module, it does not run in jest. */
export const ADMIN_SDK_SETTINGS = {
  preferRest: true,
  authClient: new OAuth2Client({
    credentials: { access_token: 'owner' },
    transporterOptions: { fetchImplementation: fetch },
  }),
};
