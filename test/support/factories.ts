/**
 * Complete, valid stored documents without their `id`. Each factory takes overrides for the fields that matter in a
 * test.
 */

const CREATED_AT = Date.UTC(2026, 0, 15, 12);

export function storedListing(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    artistId: 'artist-alice',
    artistName: 'Alice Ink',
    artistUsername: 'alice.ink',
    source: 'social',
    sourceData: {
      socialId: '17900000000000001',
      permalink: 'https://social.example.com/p/1',
      url: 'https://images.example.com/flash/1.jpg',
      caption: 'A swallow',
      thumbnailUrl: 'https://images.example.com/flash/1-small.jpg',
      storageRef: 'flash/1.jpg',
      mediaType: 'IMAGE',
      urlRefreshedAt: CREATED_AT,
      fileSize: 123_456,
    },
    price: { type: 'fixed', amount: '180' },
    size: { unit: 'in', minSize: '2', maxSize: '4' },
    styles: ['traditional'],
    isAvailable: true,
    isVisible: true,
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    order: 0,
    sessionDuration: { blocks: 2 },
    viewCount: 10,
    bookmarkCount: 3,
    tags: ['bird'],
    notes: 'Any colour.',
    ...fields,
  };
}

export function storedPhoto(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    artistId: 'artist-alice',
    artistName: 'Alice Ink',
    artistUsername: 'alice.ink',
    url: 'https://images.example.com/gallery/1.jpg',
    thumbnailUrl: 'https://images.example.com/gallery/1-small.jpg',
    source: 'social',
    order: 0,
    uploadedAt: CREATED_AT,
    isVisible: true,
    sourceData: {
      socialId: '17900000000000002',
      permalink: 'https://social.example.com/p/2',
      caption: 'Healed',
      originalFileName: 'healed.jpg',
      storageRef: 'gallery/1.jpg',
      originalUrl: 'https://images.example.com/gallery/1-original.jpg',
      mediaType: 'IMAGE',
      urlRefreshedAt: CREATED_AT,
      fileSize: 654_321,
    },
    tags: ['healed'],
    ...fields,
  };
}

const LOCATION = {
  address: '1 Needle Street',
  city: 'Portland',
  state: 'OR',
  country: 'USA',
  latitude: 45.52,
  longitude: -122.68,
};

export function storedArtist(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    email: 'alice@example.com',
    displayName: 'Alice Ink',
    firstName: 'Alice',
    lastName: 'Ink',
    pronouns: 'Other',
    otherPronouns: 'ze/hir',
    photoURL: 'https://images.example.com/users/alice.jpg',
    createdAt: CREATED_AT,
    phoneNumber: '+15555550100',
    userType: 'artist',
    howDidYouHearAboutUs: 'A friend',
    isEmailVerified: true,
    preferences: {
      notifications: {
        bookings: { newRequests: true, bookingUpdates: true, payments: true, conversations: true },
        marketing: false,
      },
      integrations: {
        paymentProvider: {
          isEnabled: true,
          accountId: 'acct_1',
          isChargesEnabled: true,
          isPayoutsEnabled: true,
        },
      },
    },
    integrations: {
      social: { userId: '1789', username: 'alice.ink', connectedAt: CREATED_AT },
    },
    artistInfo: {
      username: 'alice.ink',
      workLocations: [LOCATION],
      tattooStyles: ['traditional', 'blackwork'],
      bio: 'Bold will hold.',
      links: [{ url: 'https://alice.example.com', order: 0 }],
      useCustomBookingFlow: false,
      customBookingType: '',
      customBookingUrl: '',
      isVerified: true,
      bookingFaqs: [
        {
          type: 'Cancellation/Rescheduling Policy',
          description: 'Two days before, please.',
          title: 'Can I move my session?',
        },
      ],
      displayDailyAvailability: true,
    },
    ...fields,
  };
}

export function storedAvailability(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    artistId: 'artist-alice',
    availabilityId: 'another',
    isActive: true,
    weeklySlots: { Monday: [{ startTime: '10:00', endTime: '16:00' }] },
    dateRangeType: 'specific',
    effectiveFrom: CREATED_AT,
    effectiveUntil: CREATED_AT + 1000,
    rollingDays: 7,
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    ...fields,
  };
}

export function storedEvent(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    artistId: 'artist-alice',
    title: 'Convention',
    date: CREATED_AT,
    startTime: CREATED_AT,
    endTime: CREATED_AT + 1000,
    ...fields,
  };
}

export function storedBooking(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    artistId: 'artist-alice',
    clientId: 'client-carol',
    status: 'confirmed',
    sessions: [1, 2, 3].map(storedSession),
    ...fields,
  };
}

export function storedSession(sessionNumber: number) {
  return {
    sessionNumber,
    date: CREATED_AT + sessionNumber,
    notes: `Session ${sessionNumber}`,
    deposit: { amount: '50', isPaid: sessionNumber === 1 },
  };
}

export function storedMessage(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    senderId: 'artist-alice',
    content: 'Hi!',
    timestamp: CREATED_AT,
    readBy: ['artist-alice'],
    type: 'text',
    ...fields,
  };
}
