import { get as getOverHttp, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { get as getOverHttps } from 'node:https';

/** A complete response with status 200. */
export interface TextResponse {
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Gets a URL; rejects unless the response is complete and has status 200. Loading Node's own `fetch` would take longer
 * than the request.
 */
export async function fetchText(url: string, options: RequestOptions): Promise<TextResponse> {
  const get = url.startsWith('https:') ? getOverHttps : getOverHttp;
  return new Promise((resolve, reject) => {
    const sent = get(url, options, (response) => {
      const { statusCode = 0, headers } = response;
      Array.fromAsync<string>(response.setEncoding('utf8')).then((chunks) => {
        if (statusCode === 200) resolve({ text: chunks.join(''), headers });
        else reject(new Error(`The response has status ${statusCode}.`));
      }, reject);
    });
    sent.on('error', reject);
  });
}
