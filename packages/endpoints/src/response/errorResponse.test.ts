import { HttpsError } from 'firebase-functions/https';
import { toErrorResponse } from './errorResponse.ts';
import {
  outcomeUnknownError,
  ServiceError,
  unauthenticatedError,
  unavailableError,
} from '../declaration/errors.ts';

function createResponse(status: number, code: string, message: string, headers: object = {}) {
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Error-Code': code,
      ...headers,
    },
    body: Buffer.from(JSON.stringify({ message })),
  };
}

test.each([
  {
    error: new HttpsError('invalid-argument', 'Why.'),
    response: createResponse(400, 'invalid-argument', 'Why.'),
  },
  {
    error: new HttpsError('unauthenticated', 'Why.'),
    response: createResponse(401, 'unauthenticated', 'Why.', { 'WWW-Authenticate': 'Bearer' }),
  },
  {
    error: unauthenticatedError('Why.'),
    response: createResponse(401, 'unauthenticated', 'Why.', { 'WWW-Authenticate': 'Bearer' }),
  },
  {
    error: new HttpsError('not-found', 'Why.'),
    response: createResponse(404, 'not-found', 'Why.'),
  },
  {
    error: new HttpsError('cancelled', 'Why.'),
    response: createResponse(499, 'cancelled', 'Why.'),
  },
  {
    error: new ServiceError('method-not-allowed', 'Why.', { headers: { Allow: 'GET' } }),
    response: createResponse(405, 'method-not-allowed', 'Why.', { Allow: 'GET' }),
  },
])('$error.code becomes $response.status with the message of the error', ({ error, response }) => {
  expect(toErrorResponse(error, false)).toEqual(response);
});

test.each([
  { name: 'the code internal', error: new HttpsError('internal', 'secret') },
  { name: 'the code deadline-exceeded', error: new HttpsError('deadline-exceeded', 'secret') },
  { name: 'no code', error: new Error('secret') },
])('an error with $name becomes 500 with a general message', ({ error }) => {
  const message = 'Something went wrong on our side. Please try again later.';

  expect(toErrorResponse(error, false)).toEqual(createResponse(500, 'internal', message));
});

test.each([
  { name: 'the class ServiceError', error: unavailableError('secret') },
  { name: 'the class HttpsError', error: new HttpsError('unavailable', 'secret') },
])('the code unavailable of $name becomes 503 with a general message', ({ error }) => {
  const message = 'The service is temporarily unavailable. Please try again in a few seconds.';
  const response = createResponse(503, 'unavailable', message, { 'Retry-After': '5' });

  expect(toErrorResponse(error, false)).toEqual(response);
});

test('unavailableError keeps its cause for the log', () => {
  expect(unavailableError('secret').cause).toBe('secret');
});

test.each([
  { name: 'a temporary failure', error: unavailableError('secret') },
  { name: 'an internal error', error: new Error('secret') },
  { name: 'an unknown outcome', error: outcomeUnknownError('secret') },
])('$name becomes outcome-unknown if a write may have been applied', ({ error }) => {
  expect(toErrorResponse(error, true)).toMatchObject({
    status: 503,
    headers: { 'X-Error-Code': 'outcome-unknown', 'Retry-After': '5' },
  });
});
