/** Maximum number of document IDs in one request. */
export const MAX_NAMED = 500;
