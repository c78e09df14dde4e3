import { defineEndpoint, Success } from '@tattoo-marketplace/endpoints';
import { resetNewNotificationsCount } from './notificationCount.ts';

export const resetNewNotifications = defineEndpoint({
  method: 'POST',
  path: '/notifications/reset-new-notifications',
  access: 'signedIn',
  summary: 'Reset the counter of new notifications',
  description: "Sets the caller's counter of new notifications to 0.",
  response: Success,
  errors: { 'not-found': 'There is no profile for this account.' },
  example: { response: { success: true } },
  async handle({ caller }) {
    await resetNewNotificationsCount(caller.uid);
    return { success: true };
  },
});
