import { defineEndpoint } from '@tattoo-marketplace/endpoints';
import { resetNewNotificationsCount } from './notificationCount.ts';

export const resetNewNotifications = defineEndpoint({
  method: 'POST',
  path: '/notifications/reset-new-notifications',
  access: 'signedIn',
  summary: 'Reset the counter of new notifications',
  description: "Sets the caller's counter of new notifications to 0.",
  errors: { 'not-found': 'There is no profile for this account.' },
  example: {},
  handle: ({ caller }) => resetNewNotificationsCount(caller.uid),
});
