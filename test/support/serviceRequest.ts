import { requireDocumented } from './documented.ts';
import { rawRequest, type RawAnswer } from './rawRequest.ts';

/**
 * Sends a request to the service, below an address of it, and holds the answer to the document. `documentedAs` is the
 * path of the document where the one that is sent is a short form of it.
 */
export async function serviceRequest(
  address: Pick<URL, 'origin' | 'pathname'>,
  path: string,
  options: Parameters<typeof rawRequest>[2] & { readonly documentedAs?: string } = {},
): Promise<RawAnswer> {
  const { documentedAs = path, ...sent } = options;
  const answer = await rawRequest(address.origin, `${address.pathname}${path}`, sent);
  requireDocumented({
    method: sent.method ?? 'GET',
    path: documentedAs.replace(/^\/api(?=\/)/, ''),
    status: answer.status,
    header: (name) => String(answer.headers[name.toLowerCase()] ?? ''),
    text: answer.text,
  });
  return answer;
}

/** An address at whose root a function answers. */
export function rootOf(origin: string): Pick<URL, 'origin' | 'pathname'> {
  return { origin, pathname: '' };
}
