import { logger } from 'firebase-functions/logger';
import { useFunctionsEnvironment } from '../../../test/support/jest/isolateEnvironment.ts';
import { sendRawRequest } from '../../../test/support/requests/sendRawRequest.ts';
import {
  useServedEndpoint,
  DOC_PLACEHOLDERS,
} from '../../../test/support/processes/servedEndpoint.ts';
import { defineEndpoint } from './defineEndpoint.ts';
import { Success } from './schemas/responses.ts';
import { unknownPath } from './unknownPath.ts';

useFunctionsEnvironment('demo-unknown-path', { ALLOWED_ORIGINS: 'https://app.example.com' });

const functions = {
  unknownPath: useServedEndpoint(unknownPath),
  endpoint: useServedEndpoint(
    defineEndpoint({
      ...DOC_PLACEHOLDERS,
      method: 'PUT',
      path: '/things/change',
      access: 'public',
      response: Success,
      handle: () => Promise.resolve({ success: true }),
    }),
  ),
};

const JSON_TYPE = { 'Content-Type': 'application/json' };

test.each([
  { name: 'GET', method: 'GET' },
  { name: 'HEAD', method: 'HEAD' },
  { name: 'PUT with malformed JSON', method: 'PUT', headers: JSON_TYPE, body: '{bad' },
  { name: 'another origin', method: 'GET', headers: { Origin: 'https://other.example.com' } },
  {
    name: 'a preflight',
    method: 'OPTIONS',
    headers: {
      Origin: 'https://app.example.com',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'traceparent',
    },
  },
])('unknownPath responds and logs like an endpoint at an unknown path: $name', async (row) => {
  const write = jest.spyOn(logger, 'write').mockImplementation();

  for (const path of ['/api', '/api/', '/unknown', '/favicon.ico', '/%zz', '*']) {
    const [actual, expected] = await Promise.all(
      [functions.unknownPath, functions.endpoint].map(async ({ origin }) => {
        const { status, headers, text } = await sendRawRequest(origin, path, row);
        expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
        return { status, headers: { ...headers, date: '', 'x-request-id': '' }, text };
      }),
    );

    expect({ [path]: actual }).toEqual({ [path]: expected });
    const lines = write.mock.calls.splice(0).map(([line]) => ({
      ...line,
      httpRequest: { ...(line.httpRequest as object), latency: '' },
      latencyMs: 0,
      requestId: '',
    }));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toEqual(lines[1]);
  }
});
