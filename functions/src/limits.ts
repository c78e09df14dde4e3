/** The most documents that one request may name. */
export const MAX_NAMED = 500;
