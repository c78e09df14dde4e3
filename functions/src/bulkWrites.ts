/** Maximum number of document IDs in one request. */
export const MAX_DOCUMENTS_PER_REQUEST = 500;

/**
 * Maximum number of requests that an instance serves at a time, for endpoints that write up to `MAX_DOCUMENTS_PER_REQUEST`
 * documents. 80 conflicting requests at a time sometimes used more than the 448 MiB that are free in an instance of
 * 512 MiB.
 */
export const BULK_WRITE_CONCURRENCY = 40;
