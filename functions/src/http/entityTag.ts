import { createHash } from 'node:crypto';

/** The entity tag of an answer's body (RFC 9110, section 8.8.3). */
export function entityTag(body: string | Buffer): string {
  return `"${createHash('sha1').update(body).digest('base64url')}"`;
}

/**
 * Whether an `If-None-Match` header names the tag, by weak comparison: a CDN that compresses makes tags weak.
 * Express' own check is not used: it never matches where the request also says `Cache-Control: no-cache`, and
 * Hosting adds just that to what it passes on.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(',')
    .map((named) => named.trim())
    .some((named) => named === '*' || named.replace(/^W\//, '') === tag);
}
