/** Maximum number of document IDs in one request. */
export const MAX_DOCUMENTS_PER_REQUEST = 500;

/**
 * Maximum number of requests that an instance serves at once, for endpoints that write up to `MAX_DOCUMENTS_PER_REQUEST`
 * documents. 80 at once, all in conflict, sometimes took more than the 448 MiB that an instance of 512 MiB leaves.
 */
export const BULK_WRITE_CONCURRENCY = 40;
