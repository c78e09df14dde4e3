import { endpoints } from '../../functions/service.ts';

/** A request without a token, and the response that shows that it reached its function. */
export interface ExpectedResponse {
  readonly method: string;
  /** `/api/flash/reorder` */
  readonly address: string;
  /** The function that must receive the request; undefined for paths of no endpoint. */
  readonly functionId?: string;
  /** The status, and the `X-Error-Code` of an error: `401 unauthenticated`. */
  readonly expected: string;
}

/** Lists requests to all functions, for a deploy with this value of APP_CHECK. */
export function listExpectedResponses(appCheckMode: string | undefined): ExpectedResponse[] {
  const isEnforced = appCheckMode === 'enforce';
  const responses = endpoints.flatMap(({ functionId, endpoint }): ExpectedResponse[] => {
    const { method, path, access, query } = endpoint.declaration;
    const request = { functionId, method, address: `/api${path.replace(/\{\w+\}/g, 'nobody')}` };
    if (isEnforced) return [{ ...request, expected: '403 app-check' }];
    if (access !== 'public') return [{ ...request, expected: '401 unauthenticated' }];
    const list = { ...request, expected: '200' };
    if (query === undefined) return [list];
    const address = `${request.address}?cursor=none`;
    return [list, { ...request, address, expected: '400 cursor-not-found' }];
  });
  return [...responses, { method: 'GET', address: '/api/unknown/path', expected: '404 not-found' }];
}
