import { errorElement, errorOf } from '../../functions/src/firestore/errors.ts';

const WHY = { status: 'ABORTED', message: 'Why.' };

test.each([
  [204, 'UNAVAILABLE', true],
  [401, 'UNAUTHENTICATED', false],
  [403, 'PERMISSION_DENIED', false],
  [404, 'NOT_FOUND', false],
  [429, 'UNAVAILABLE', true],
  [500, 'UNAVAILABLE', true],
  [503, 'UNAVAILABLE', true],
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

test('an error that says nothing is one, too', () => {
  expect(errorElement({ error: null })).toEqual({});
});

test.each([[{}], [[]], [null], ['error'], [[null, { document: {} }]]])('%j is no error', (body) => {
  expect(errorElement(body)).toBeUndefined();
});
