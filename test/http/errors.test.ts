import { HttpsError, type FunctionsErrorCode } from 'firebase-functions/https';
import { toErrorResponse } from '../../functions/src/http/errors.ts';
import { HttpError, unavailable } from '../../functions/src/platform/errors.ts';

const FAULT = {
  status: 500,
  code: 'internal',
  message: 'Something went wrong on our side. Please try again later.',
  headers: {},
};
const UNAVAILABLE = {
  status: 503,
  code: 'unavailable',
  message: 'The service is temporarily unavailable. Please try again in a few seconds.',
  headers: { 'Retry-After': '5' },
};

test.each<[FunctionsErrorCode, object]>([
  ['invalid-argument', { status: 400 }],
  ['unauthenticated', { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }],
  ['permission-denied', { status: 403 }],
  ['not-found', { status: 404 }],
  ['cancelled', { status: 499 }],
  ['internal', FAULT],
  ['deadline-exceeded', FAULT],
  ['unavailable', UNAVAILABLE],
])('%s has its status; only the message of a refusal is sent', (code, response) => {
  expect(toErrorResponse(new HttpsError(code, 'Why.'), false)).toEqual({
    code,
    message: 'Why.',
    headers: {},
    ...response,
  });
});

test.each([new Error('secret'), 'secret', undefined])('%s is a fault of ours', (error) => {
  expect(toErrorResponse(error, true)).toEqual(FAULT);
});

test('an error with a code of its own is sent with it', () => {
  expect(
    toErrorResponse(new HttpError('method-not-allowed', 'Why.', { Allow: 'GET' }), false),
  ).toEqual({
    status: 405,
    code: 'method-not-allowed',
    message: 'Why.',
    headers: { Allow: 'GET' },
  });
});

test('a temporary failure tells its cause to the log only, and whether anything may be written', () => {
  const error = unavailable('secret');

  expect(error.cause).toBe('secret');
  expect(toErrorResponse(error, false)).toEqual(UNAVAILABLE);
  expect(toErrorResponse(error, true)).toMatchObject({
    status: 503,
    code: 'outcome-unknown',
    headers: { 'Retry-After': '5' },
  });
});
