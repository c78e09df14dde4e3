import { requireDocumented } from './documented.ts';
import type { ExampleRequest } from './exampleRequests.ts';
import { rawRequest, type RawResponse } from './rawRequest.ts';

/** A request to the service. */
export interface ServiceRequest extends Partial<ExampleRequest> {
  readonly path: string;
  /** The documented path, if the request uses a short form of it. */
  readonly documentedAs?: string;
}

/** Sends a request to the service at an address, and checks the response against the document. */
export async function serviceRequest(
  address: string,
  { path, documentedAs = path, ...sent }: ServiceRequest,
): Promise<RawResponse> {
  const response = await rawRequest(address, path, sent);
  requireDocumented(sent.method ?? 'GET', documentedAs.replace(/^\/api(?=\/)/, ''), response);
  return response;
}
