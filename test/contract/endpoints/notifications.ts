import { documents, oneOf } from '../generators.ts';
import { ensure, ok, update, type EndpointModel } from '../model.ts';

/** Sets the caller's counter of new notifications to 0. A body is ignored. */
export const resetNewNotifications: EndpointModel = {
  apply(request) {
    const path = `users/${request.caller}`;
    ensure(path in request.state, 'not-found');
    return ok({ success: true }, update({ [path]: { newNotificationsCount: 0 } }, request.state));
  },
  documents: documents(['users/~alice', 'users/~bob'], {
    newNotificationsCount: oneOf(0, 7, '7', undefined),
  }),
  request: {},
};
