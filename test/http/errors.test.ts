import { HttpsError } from 'firebase-functions/https';
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
const WHY = { message: 'Why.', headers: {} };

test.each([
  [new HttpsError('invalid-argument', 'Why.'), { ...WHY, code: 'invalid-argument', status: 400 }],
  [
    new HttpsError('unauthenticated', 'Why.'),
    { ...WHY, code: 'unauthenticated', status: 401, headers: { 'WWW-Authenticate': 'Bearer' } },
  ],
  [new HttpsError('not-found', 'Why.'), { ...WHY, code: 'not-found', status: 404 }],
  [new HttpsError('cancelled', 'Why.'), { ...WHY, code: 'cancelled', status: 499 }],
  [new HttpsError('internal', 'secret'), FAULT],
  [new HttpsError('deadline-exceeded', 'secret'), FAULT],
  [new HttpsError('unavailable', 'secret'), UNAVAILABLE],
  [
    new HttpError('method-not-allowed', 'Why.', { Allow: 'GET' }),
    { ...WHY, code: 'method-not-allowed', status: 405, headers: { Allow: 'GET' } },
  ],
  [new Error('secret'), FAULT],
  ['secret', FAULT],
  [undefined, FAULT],
])('%s has its status; only the message of a refusal is sent', (error, response) => {
  expect(toErrorResponse(error, false)).toEqual(response);
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
  expect(toErrorResponse(new Error('secret'), true)).toEqual(FAULT);
});
