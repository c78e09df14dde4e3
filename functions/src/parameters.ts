import { defineBoolean, defineInt, defineString } from 'firebase-functions/params';

/** How long a CDN and a browser may keep a public answer, in seconds; 0 turns keeping off. */
export const publicCacheSeconds = defineInt('PUBLIC_CACHE_SECONDS', {
  default: 60,
  label: 'Public cache seconds',
  description: 'How long public answers may be cached by the CDN and by browsers, in seconds.',
});

/** How long the work of one request may take before the caller gets 503, in seconds. */
export const deadlineSeconds = defineInt('DEADLINE_SECONDS', {
  default: 10,
  label: 'Deadline seconds',
  description: 'How long the work of one request may take before the caller gets 503, in seconds.',
});

/** The web origins whose pages may call: `*`, or origins separated by commas. */
export const allowedOrigins = defineString('ALLOWED_ORIGINS', {
  default: '*',
  label: 'Allowed origins',
  description: 'The web origins whose pages may call: * or origins separated by commas.',
});

/** Whether endpoints that write ask Firebase Auth, on each call, if the token was revoked or the account disabled. */
export const checkRevoked = defineBoolean('CHECK_REVOKED', {
  default: false,
  label: 'Check revoked',
  description:
    'Whether endpoints that write ask Firebase Auth on each call if the token was revoked or the account disabled.',
});
