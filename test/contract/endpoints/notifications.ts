import fc from 'fast-check';
import { generateDocuments } from '../generators.ts';
import { ensure, respond, update, type EndpointModel } from '../endpointModel.ts';

/** Sets the caller's counter of new notifications to 0. A body is ignored. */
export const resetNewNotifications: EndpointModel = {
  apply(request) {
    const path = `users/${request.callerId}`;
    ensure(path in request.state, 'not-found');
    const change = { newNotificationsCount: 0 };
    return respond({ success: true }, update({ [path]: change }, request.state));
  },
  documents: generateDocuments(['users/~alice', 'users/~bob'], {
    newNotificationsCount: fc.constantFrom(0, 7, '7', undefined),
  }),
  request: {},
};
