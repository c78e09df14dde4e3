/** The operations of the API. Written by `npm run generate`. */
export const OPERATIONS = {
  artists: {
    /** List the verified artists. */
    list: ['GET', '/artists'],
  },
  availability: {
    /** Replace an availability schedule. */
    updateAvailability: ['POST', '/availability/update-availability', 'signedIn'],
  },
  bookings: {
    /** Delete a session from a booking. */
    deleteSession: ['POST', '/bookings/delete-session', 'signedIn', 'once'],
  },
  conversations: {
    /** Read the messages of a conversation. */
    getMessages: ['GET', '/conversations/get-messages', 'signedIn'],
  },
  flash: {
    /** List an artist's flash. */
    listByArtist: ['GET', '/flash/artist/{id}/paginated'],
    /** Mark flash listings as available. */
    markAsAvailable: ['PUT', '/flash/mark-as-available', 'signedIn'],
    /** Mark flash listings as unavailable. */
    markAsUnavailable: ['PUT', '/flash/mark-as-unavailable', 'signedIn'],
    /** Reorder flash listings. */
    reorder: ['PUT', '/flash/reorder', 'signedIn'],
  },
  gallery: {
    /** List an artist's gallery. */
    listByArtist: ['GET', '/gallery/artist/{artistId}/paginated'],
    /** Remove gallery photos. */
    removePhotos: ['DELETE', '/gallery/remove-photos', 'signedIn'],
  },
  notifications: {
    /** Reset the counter of new notifications. */
    resetNewNotifications: ['POST', '/notifications/reset-new-notifications', 'signedIn'],
  },
  unavailableEvents: {
    /** Edit an unavailable event. */
    editUnavailableEvent: ['PUT', '/unavailable-events/edit-unavailable-event', 'signedIn'],
  },
} as const;
