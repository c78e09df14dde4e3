import { errorElement, errorOf } from '../../functions/src/firestore/errors.ts';

const WHY = { status: 'ABORTED', message: 'Why.' };

test.each([
  [204, 'UNAVAILABLE', true],
  [401, 'UNAUTHENTICATED', false],
  [403, 'PERMISSION_DENIED', false],
  [404, 'NOT_FOUND', false],
  [408, 'DEADLINE_EXCEEDED', true],
  [409, 'ABORTED', true],
  [429, 'RESOURCE_EXHAUSTED', true],
  [500, 'INTERNAL', true],
  [502, 'UNAVAILABLE', true],
  [503, 'UNAVAILABLE', true],
  [504, 'DEADLINE_EXCEEDED', true],
  [400, 'UNAVAILABLE', true],
  [599, 'UNAVAILABLE', true],
])('a response of %d without a body is %s', (httpStatus, status, isTransient) => {
  expect(errorOf(httpStatus, undefined)).toMatchObject({
    name: 'FirestoreError',
    status,
    isTransient,
    message: `${status}: HTTP ${httpStatus}`,
  });
});

test.each<[object, string]>([
  [{ error: WHY }, 'ABORTED: Why.'],
  [[{ document: {} }, { error: WHY }], 'ABORTED: Why.'],
  [{ error: { status: 7, message: 7 } }, 'UNAVAILABLE: HTTP 503'],
  [{ error: null }, 'UNAVAILABLE: HTTP 503'],
  [{ error: 'text' }, 'UNAVAILABLE: HTTP 503'],
])('the error of a body counts more than its HTTP status, if it says something: %j', (...row) => {
  const [body, message] = row;

  expect(errorOf(503, body)).toMatchObject({ message });
});

test.each([[{}], [[]], [null], ['error'], [[null, { document: {} }]]])('%j is no error', (body) => {
  expect(errorElement(body)).toBeUndefined();
});
