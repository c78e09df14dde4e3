import { HttpsError, type FunctionsErrorCode } from 'firebase-functions/https';
import { HttpError, toErrorResponse, unavailable } from '../../functions/src/http/errors.ts';

const FAULT = {
  status: 500,
  message: 'Something went wrong on our side. Please try again later.',
  headers: {},
};
const UNAVAILABLE = {
  status: 503,
  message: 'The service is temporarily unavailable. Please try again in a few seconds.',
  headers: { 'Retry-After': '5' },
};

test.each<[FunctionsErrorCode, object]>([
  ['invalid-argument', { status: 400, message: 'Why.', headers: {} }],
  ['unauthenticated', { status: 401, message: 'Why.', headers: { 'WWW-Authenticate': 'Bearer' } }],
  ['permission-denied', { status: 403, message: 'Why.', headers: {} }],
  ['not-found', { status: 404, message: 'Why.', headers: {} }],
  ['cancelled', { status: 499, message: 'Why.', headers: {} }],
  ['internal', FAULT],
  ['deadline-exceeded', FAULT],
  ['unavailable', UNAVAILABLE],
])('%s has its status; only the message of a refusal is sent', (code, response) => {
  expect(toErrorResponse(new HttpsError(code, 'Why.'))).toEqual(response);
});

test.each([new Error('secret'), 'secret', undefined])('%s is a fault of ours', (error) => {
  expect(toErrorResponse(error)).toEqual(FAULT);
});

test('an error with a status and headers of its own is sent as it is', () => {
  expect(toErrorResponse(new HttpError(405, 'Why.', { Allow: 'GET' }))).toMatchObject({
    status: 405,
    message: 'Why.',
    headers: { Allow: 'GET' },
  });
  expect(toErrorResponse(new HttpError(413, 'Why.'))).toMatchObject({ headers: {} });
});

test('a temporary failure tells its cause to the log only', () => {
  const error = unavailable('secret');

  expect(error.cause).toBe('secret');
  expect(toErrorResponse(error)).toEqual(UNAVAILABLE);
});
