import { HttpsError } from 'firebase-functions/https';
import { FirestoreError } from '@tattoo-marketplace/firestore-rest';
import { toErrorResponse } from './errorResponse.ts';
import { ServiceError, unavailableError } from '../errors.ts';

type Expected = readonly [status: number, code: string, message: string, headers?: object];

const FAULT: Expected = [
  ...([500, 'internal'] as const),
  'Something went wrong on our side. Please try again later.',
];
const UNAVAILABLE: Expected = [
  ...([503, 'unavailable'] as const),
  'The service is temporarily unavailable. Please try again in a few seconds.',
  { 'Retry-After': '5' },
];

/** The whole response. */
function response([status, code, message, headers]: Expected) {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  const body = Buffer.from(JSON.stringify({ message }));
  return { status, headers: { ...type, 'X-Error-Code': code, ...headers }, body };
}

test.each<[unknown, Expected]>([
  [new HttpsError('invalid-argument', 'Why.'), [400, 'invalid-argument', 'Why.']],
  [
    new HttpsError('unauthenticated', 'Why.'),
    [401, 'unauthenticated', 'Why.', { 'WWW-Authenticate': 'Bearer' }],
  ],
  [new HttpsError('not-found', 'Why.'), [404, 'not-found', 'Why.']],
  [new HttpsError('cancelled', 'Why.'), [499, 'cancelled', 'Why.']],
  [new HttpsError('internal', 'secret'), FAULT],
  [new HttpsError('deadline-exceeded', 'secret'), FAULT],
  [new HttpsError('unavailable', 'secret'), UNAVAILABLE],
  [
    new ServiceError('method-not-allowed', 'Why.', { Allow: 'GET' }),
    [405, 'method-not-allowed', 'Why.', { Allow: 'GET' }],
  ],
  [new FirestoreError('UNAUTHENTICATED', 'secret'), UNAVAILABLE],
  [new FirestoreError('PERMISSION_DENIED', 'secret'), FAULT],
])('%s maps to its status; only 4xx messages are sent', (error, expected) => {
  expect(toErrorResponse(error, false)).toEqual(response(expected));
});

test('a transient failure hides its cause, and becomes outcome-unknown if a write may have been applied', () => {
  const error = unavailableError('secret');

  expect(error.cause).toBe('secret');
  for (const failure of [error, new Error('secret')]) {
    expect(toErrorResponse(failure, true)).toMatchObject({
      status: 503,
      headers: { 'X-Error-Code': 'outcome-unknown', 'Retry-After': '5' },
    });
  }
});
