import {
  errorElement,
  errorOf,
  incomplete,
  notSent,
} from '../../functions/src/firestore/errors.ts';

test.each([
  [204, 'UNAVAILABLE', true],
  [302, 'UNAVAILABLE', true],
  [401, 'UNAUTHENTICATED', false],
  [403, 'PERMISSION_DENIED', false],
  [404, 'NOT_FOUND', false],
  [429, 'UNAVAILABLE', true],
  [500, 'UNAVAILABLE', true],
  [503, 'UNAVAILABLE', true],
  [400, 'UNAVAILABLE', true],
  [499, 'UNAVAILABLE', true],
  [599, 'UNAVAILABLE', true],
])('a response of %d without a body is %s', (httpStatus, status, isTransient) => {
  expect(errorOf(httpStatus, undefined)).toMatchObject({
    name: 'FirestoreError',
    status,
    isTransient,
    message: `${status}: HTTP ${httpStatus}`,
  });
});

test.each([
  [{ error: { status: 'ABORTED', message: 'Why.' } }],
  [[{ document: {} }, { error: { status: 'ABORTED', message: 'Why.' } }]],
])('the error of a body counts more than its HTTP status: %j', (body) => {
  expect(errorOf(503, body)).toMatchObject({ status: 'ABORTED', message: 'ABORTED: Why.' });
});

test.each([[{ error: { status: 7, message: 7 } }], [{ error: null }], [{ error: 'text' }]])(
  'an error that says nothing has the code of its HTTP status: %j',
  (body) => {
    expect(errorOf(503, body)).toMatchObject({ message: 'UNAVAILABLE: HTTP 503' });
  },
);

test.each([[{}], [[]], [null], ['error'], [[null, { document: {} }]]])('%j is no error', (body) => {
  expect(errorElement(body)).toBeUndefined();
});

test('a response that is not complete may come a moment later', () => {
  expect(incomplete('Why.', 'cause')).toMatchObject({
    status: 'UNAVAILABLE',
    message: 'UNAVAILABLE: Why.',
    cause: 'cause',
    isTransient: true,
  });
});

test('a call that was not sent can have no effect', () => {
  const error = incomplete('Why.');

  expect(error.wasNotSent).toBe(false);
  expect(notSent(error)).toMatchObject({ wasNotSent: true, isTransient: true });
});
