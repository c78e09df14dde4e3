import { get as getOverHttp, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { get as getOverHttps } from 'node:https';

/** A complete response with status 200. */
export interface TextResponse {
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Gets a URL. Rejects unless the response is complete and has status 200. */
export async function fetchText(url: string, options: RequestOptions): Promise<TextResponse> {
  const get = url.startsWith('https:') ? getOverHttps : getOverHttp;
  return new Promise((resolve, reject) => {
    const sent = get(url, options, (response) => {
      const { statusCode = 0, headers } = response;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (statusCode === 200) resolve({ text, headers });
        else reject(new Error(`The response has status ${statusCode}.`));
      });
    });
    sent.on('error', reject);
  });
}
