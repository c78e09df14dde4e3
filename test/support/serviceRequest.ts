import { requireDocumented } from './documented.ts';
import { rawRequest, type RawResponse } from './rawRequest.ts';

/**
 * Sends a request to the service and checks the response against the document. `documentedAs` is the documented path if
 * the request uses a short form of it.
 */
export async function serviceRequest(
  address: Pick<URL, 'origin' | 'pathname'>,
  path: string,
  options: Parameters<typeof rawRequest>[2] & { readonly documentedAs?: string } = {},
): Promise<RawResponse> {
  const { documentedAs = path, ...sent } = options;
  const response = await rawRequest(address.origin, `${address.pathname}${path}`, sent);
  requireDocumented({
    method: sent.method ?? 'GET',
    path: documentedAs.replace(/^\/api(?=\/)/, ''),
    status: response.status,
    header: (name) => String(response.headers[name.toLowerCase()] ?? ''),
    text: response.text,
  });
  return response;
}

/** The address of a function. */
export function rootOf(origin: string): Pick<URL, 'origin' | 'pathname'> {
  return { origin, pathname: '' };
}
