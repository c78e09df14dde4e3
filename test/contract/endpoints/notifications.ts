import { body, of, storing } from '../arbitraries.ts';
import { changed, demand, ok, type Entry } from '../rules.ts';

/** Sets the caller's counter of new notifications to 0. A body is ignored. */
export const resetNewNotifications: Entry = {
  answer({ caller, documents }) {
    const path = `users/${caller}`;
    demand(path in documents, 'not-found');
    return ok({ success: true }, changed(documents, { [path]: { newNotificationsCount: 0 } }));
  },
  stored: storing(['users/~alice', 'users/~bob'], {
    newNotificationsCount: of(0, 7, '7', undefined),
  }),
  send: body({}),
};
