/** The operations of the API. Written by `npm run generate`. */
export const OPERATIONS = {
  artists: {
    /** List the verified artists. */
    list: { method: 'GET', path: '/artists' },
  },
  availability: {
    /** Replace an availability schedule. */
    updateAvailability: {
      method: 'POST',
      path: '/availability/update-availability',
      access: 'signedIn',
    },
  },
  bookings: {
    /** Delete a session from a booking. */
    deleteSession: {
      method: 'POST',
      path: '/bookings/delete-session',
      access: 'signedIn',
      retry: 'unsafe',
    },
  },
  conversations: {
    /** Read the messages of a conversation. */
    getMessages: { method: 'GET', path: '/conversations/get-messages', access: 'signedIn' },
  },
  flash: {
    /** List an artist's flash. */
    listByArtist: { method: 'GET', path: '/flash/artist/{id}/paginated' },
    /** Mark flash listings as available. */
    markAsAvailable: { method: 'PUT', path: '/flash/mark-as-available', access: 'signedIn' },
    /** Mark flash listings as unavailable. */
    markAsUnavailable: { method: 'PUT', path: '/flash/mark-as-unavailable', access: 'signedIn' },
    /** Reorder flash listings. */
    reorder: { method: 'PUT', path: '/flash/reorder', access: 'signedIn' },
  },
  gallery: {
    /** List an artist's gallery. */
    listByArtist: { method: 'GET', path: '/gallery/artist/{artistId}/paginated' },
    /** Remove gallery photos. */
    removePhotos: { method: 'DELETE', path: '/gallery/remove-photos', access: 'signedIn' },
  },
  notifications: {
    /** Reset the counter of new notifications. */
    resetNewNotifications: {
      method: 'POST',
      path: '/notifications/reset-new-notifications',
      access: 'signedIn',
    },
  },
  unavailableEvents: {
    /** Edit an unavailable event. */
    editUnavailableEvent: {
      method: 'PUT',
      path: '/unavailable-events/edit-unavailable-event',
      access: 'signedIn',
    },
  },
} as const;
