/** The messages that the service has logged as errors in this test file, the oldest first (silenceLogger.ts). */
export const loggedErrors: string[] = [];
