/** Maximum number of document IDs in one request. */
export const MAX_DOCUMENTS_PER_REQUEST = 500;
