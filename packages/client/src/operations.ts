/** The operations of the API. Written by `npm run generate`. */
import type { Availability, CallOptions, PageEnd } from './types.ts';

export const OPERATIONS = {
  artists: {
    list: { method: 'GET', path: '/artists' },
  },
  availability: {
    updateAvailability: {
      method: 'POST',
      path: '/availability/update-availability',
      access: 'signedIn',
    },
  },
  bookings: {
    deleteSession: {
      method: 'POST',
      path: '/bookings/delete-session',
      access: 'signedIn',
      retry: 'unsafe',
    },
  },
  conversations: {
    getMessages: { method: 'GET', path: '/conversations/get-messages', access: 'signedIn' },
  },
  flash: {
    listByArtist: { method: 'GET', path: '/flash/artist/{id}/paginated' },
    markAsAvailable: { method: 'PUT', path: '/flash/mark-as-available', access: 'signedIn' },
    markAsUnavailable: { method: 'PUT', path: '/flash/mark-as-unavailable', access: 'signedIn' },
    reorder: { method: 'PUT', path: '/flash/reorder', access: 'signedIn' },
  },
  gallery: {
    listByArtist: { method: 'GET', path: '/gallery/artist/{artistId}/paginated' },
    removePhotos: { method: 'DELETE', path: '/gallery/remove-photos', access: 'signedIn' },
  },
  notifications: {
    resetNewNotifications: {
      method: 'POST',
      path: '/notifications/reset-new-notifications',
      access: 'signedIn',
    },
  },
  unavailableEvents: {
    editUnavailableEvent: {
      method: 'PUT',
      path: '/unavailable-events/edit-unavailable-event',
      access: 'signedIn',
    },
  },
} as const;

/** The operations of the API, grouped by resource. */
export interface MarketplaceClient {
  readonly artists: {
    /** List the verified artists. */
    readonly list: (input?: undefined, options?: CallOptions) => Promise<ArtistList>;
  };
  readonly availability: {
    /** Replace an availability schedule. */
    readonly updateAvailability: (input: Availability, options?: CallOptions) => Promise<Success>;
  };
  readonly bookings: {
    /** Delete a session from a booking. */
    readonly deleteSession: (
      input: BookingsDeleteSessionInput,
      options?: CallOptions,
    ) => Promise<DeleteSessionResult>;
  };
  readonly conversations: {
    /** Read the messages of a conversation. */
    readonly getMessages: (
      input: ConversationsGetMessagesInput,
      options?: CallOptions,
    ) => Promise<MessagePage>;
  };
  readonly flash: {
    /** List an artist's flash. */
    readonly listByArtist: (
      input: FlashListByArtistInput,
      options?: CallOptions,
    ) => Promise<FlashPage>;
    /** Mark flash listings as available. */
    readonly markAsAvailable: (
      input: FlashMarkAsAvailableInput,
      options?: CallOptions,
    ) => Promise<MarkResult>;
    /** Mark flash listings as unavailable. */
    readonly markAsUnavailable: (
      input: FlashMarkAsUnavailableInput,
      options?: CallOptions,
    ) => Promise<MarkResult>;
    /** Reorder flash listings. */
    readonly reorder: (input: FlashReorderInput, options?: CallOptions) => Promise<Success>;
  };
  readonly gallery: {
    /** List an artist's gallery. */
    readonly listByArtist: (
      input: GalleryListByArtistInput,
      options?: CallOptions,
    ) => Promise<GalleryPage>;
    /** Remove gallery photos. */
    readonly removePhotos: (
      input: GalleryRemovePhotosInput,
      options?: CallOptions,
    ) => Promise<Success>;
  };
  readonly notifications: {
    /** Reset the counter of new notifications. */
    readonly resetNewNotifications: (input?: undefined, options?: CallOptions) => Promise<Success>;
  };
  readonly unavailableEvents: {
    /** Edit an unavailable event. */
    readonly editUnavailableEvent: (
      input: UnavailableEventsEditUnavailableEventInput,
      options?: CallOptions,
    ) => Promise<EditEventResult>;
  };
}

/** The methods of the client, by operation id. */
export interface Methods {
  artistsList: MarketplaceClient['artists']['list'];
  availabilityUpdateAvailability: MarketplaceClient['availability']['updateAvailability'];
  bookingsDeleteSession: MarketplaceClient['bookings']['deleteSession'];
  conversationsGetMessages: MarketplaceClient['conversations']['getMessages'];
  flashListByArtist: MarketplaceClient['flash']['listByArtist'];
  flashMarkAsAvailable: MarketplaceClient['flash']['markAsAvailable'];
  flashMarkAsUnavailable: MarketplaceClient['flash']['markAsUnavailable'];
  flashReorder: MarketplaceClient['flash']['reorder'];
  galleryListByArtist: MarketplaceClient['gallery']['listByArtist'];
  galleryRemovePhotos: MarketplaceClient['gallery']['removePhotos'];
  notificationsResetNewNotifications: MarketplaceClient['notifications']['resetNewNotifications'];
  unavailableEventsEditUnavailableEvent: MarketplaceClient['unavailableEvents']['editUnavailableEvent'];
}

/** All verified artists. */
export type ArtistList = User[];

/** A user of the service. */
export type User = {
  /** The id of the user. */
  id: string;
  /** The e-mail address. */
  email?: string;
  /** The name that is shown. */
  displayName?: string;
  /** The first name. */
  firstName?: string;
  /** The last name. */
  lastName?: string;
  /** The user's pronouns. */
  pronouns?: "Don't Specify" | 'He/Him' | 'She/Her' | 'They/Them' | 'Other';
  /** The pronouns if `pronouns` is `Other`. */
  otherPronouns?: string;
  /** The address of the profile photo. */
  photoURL?: string;
  /** When the account was created, in ms, UTC. */
  createdAt?: number;
  /** The telephone number. */
  phoneNumber?: string;
  /** The type of account. */
  userType: 'artist' | 'client' | 'studio';
  /** The referral source. */
  howDidYouHearAboutUs?: string;
  /** True if the e-mail address is verified. */
  isEmailVerified?: boolean;
  /** The user’s settings, with defaults for missing ones. */
  preferences: {
    /** The notifications that the user wants. */
    notifications: {
      /** The booking notifications that the user wants. */
      bookings: {
        /** New booking requests. */
        newRequests: boolean;
        /** Changes to bookings. */
        bookingUpdates: boolean;
        /** Payments. */
        payments: boolean;
        /** New messages. */
        conversations: boolean;
      };
      /** True if the user wants marketing messages. */
      marketing: boolean;
    };
    /** Settings of connected services. */
    integrations: {
      /** The payment provider. */
      paymentProvider: {
        /** True if payments are enabled. */
        isEnabled: boolean;
        /** The id of the account at the provider, if the deployment publishes it. */
        accountId?: string;
        /** True if charges can be made. */
        isChargesEnabled: boolean;
        /** True if payouts can be made. */
        isPayoutsEnabled: boolean;
      };
    };
  };
  /** Connected services: public information only. */
  integrations?: {
    /** The social platform. */
    social?: {
      /** The id on the platform. */
      userId?: string;
      /** The user name on the platform. */
      username?: string;
      /** When it was connected, in ms, UTC. */
      connectedAt?: number;
    };
  };
  /** Present if `userType` is `artist`. */
  artistInfo: {
    /** The user name, unique among artists. */
    username?: string;
    /** The work locations of the artist. */
    workLocations?: Location[];
    /** The styles that the artist works in. */
    tattooStyles?: string[];
    /** The artist’s description of themselves. */
    bio?: string;
    /** Links to other sites. */
    links?: {
      /** The address. */
      url?: string;
      /** The position among the links. */
      order?: number;
    }[];
    /** True if the artist has a custom booking flow. */
    useCustomBookingFlow?: boolean;
    /** The type of custom booking flow. */
    customBookingType?: string;
    /** The URL of the custom booking flow. */
    customBookingUrl?: string;
    /** True if the artist is verified. */
    isVerified: boolean;
    /** Frequently asked questions about booking. */
    bookingFaqs?: {
      /** The type of question, for example `Cancellation/Rescheduling Policy`. */
      type?: string;
      /** The answer. */
      description?: string;
      /** The question. */
      title?: string;
    }[];
    /** True if available days are shown. */
    displayDailyAvailability?: boolean;
  };
  /** Present if `userType` is `client`. */
  clientInfo?: {
    /** The styles that the client likes. */
    preferredStyles?: string[];
    /** The location of the client. */
    homeLocation?: Location;
  };
  /** Present if `userType` is `studio`. */
  studioInfo?: {
    /** The name of the studio. */
    studioName?: string;
    /** The location of the studio. */
    studioLocation?: Location;
    /** The styles that the studio offers. */
    studioStyles?: string[];
    /** The e-mail address of the studio. */
    email?: string;
    /** The telephone number of the studio. */
    phoneNumber?: string;
    /** Artists who were invited. */
    artistEmailInvites?: string[];
  };
};

/** A place. */
export type Location = {
  /** Street and number. */
  address?: string;
  /** The city. */
  city?: string;
  /** The state or region. */
  state?: string;
  /** The country. */
  country?: string;
  /** Degrees north. */
  latitude?: number;
  /** Degrees east. */
  longitude?: number;
};

/** The operation was carried out. */
export type Success = {
  /** Always true. */
  success: boolean;
};

/** The session was deleted. */
export type DeleteSessionResult = {
  /** A sentence that confirms what was deleted. */
  message: string;
  /** The id of the booking. */
  bookingId: string;
};

/** The input of `bookingsDeleteSession`. */
export interface BookingsDeleteSessionInput {
  /** The id of the booking. Not `.`, `..` or `__…__`. */
  bookingId: string;
  /** The number of the session. If several have it, the first one is removed. */
  sessionNumber: number;
}

/** A page of the messages of a conversation. */
export type MessagePage = {
  /** The messages on this page. */
  messages: Message[];
} & PageEnd;

/** A message of a conversation. */
export type Message = {
  /** The id of the message. */
  id: string;
  /** The user who wrote it. */
  senderId?: string;
  /** The text of the message. */
  content?: string;
  /** When it was written, in ms, UTC. */
  timestamp?: number;
  /** The users who have read it. */
  readBy?: string[];
  /** The type of message. */
  type?: string;
};

/** The input of `conversationsGetMessages`. */
export interface ConversationsGetMessagesInput {
  /** The maximum number of items to return: 1 to 100, 50 by default. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page: the id of its last item. */
  cursor?: string | undefined;
  /** The id of the conversation. */
  conversationId: string;
}

/** A page of an artist's flash listings. */
export type FlashPage = {
  /** The listings on this page. */
  flash: FlashListing[];
  /** The number of listings on all pages. */
  total: number;
} & PageEnd;

/** A pre-drawn design that can be booked. */
export type FlashListing = {
  /** The id of the listing. */
  id: string;
  /** The artist who owns the listing. */
  artistId: string;
  /** The artist's name. */
  artistName?: string;
  /** The artist's user name. */
  artistUsername?: string;
  /** The origin of the design, for example `social`. */
  source?: string;
  /** Details of the source. */
  sourceData?: {
    /** The id of the post. */
    socialId?: string;
    /** The address of the post. */
    permalink?: string;
    /** The address of the image. */
    url?: string;
    /** The text of the post. */
    caption?: string;
    /** The address of a small image. */
    thumbnailUrl?: string;
    /** The path of the image in the storage. */
    storageRef?: string;
    /** The type of media, for example `IMAGE`. */
    mediaType?: string;
    /** When `url` was last renewed, in ms, UTC. */
    urlRefreshedAt?: number;
    /** The size of the image, in bytes. */
    fileSize?: number;
  };
  /** The price of the design. */
  price?: {
    /** The pricing method, for example `fixed`. */
    type?: string;
    /** The amount, as a decimal string. */
    amount?: string;
  };
  /** The sizes in which the design is offered. */
  size?: {
    /** The unit of length, for example `in`. */
    unit?: string;
    /** The smallest size, as a decimal string. */
    minSize?: string;
    /** The largest size, as a decimal string. */
    maxSize?: string;
  };
  /** Tattoo styles. */
  styles?: string[];
  /** True if the listing can be booked. */
  isAvailable?: boolean;
  /** True if the listing is public. */
  isVisible: boolean;
  /** When the listing was created, in ms, UTC. */
  createdAt?: number;
  /** When the listing was last changed, in ms, UTC. May decrease by a few ms between updates, because server clocks differ. */
  updatedAt?: number;
  /** The position in the artist's listings. */
  order?: number;
  /** The duration of the work. */
  sessionDuration?: {
    /** The number of time blocks. */
    blocks?: number;
  };
  /** The number of views. */
  viewCount?: number;
  /** The number of bookmarks. */
  bookmarkCount?: number;
  /** Free-form tags. */
  tags?: string[];
  /** The artist's notes. */
  notes?: string;
};

/** The input of `flashListByArtist`. */
export interface FlashListByArtistInput {
  /** The id of the artist. */
  id: string;
  /** The maximum number of items to return: 1 to 50, 20 by default. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page: the id of its last item. */
  cursor?: string | undefined;
}

/** The listings were marked. */
export type MarkResult = {
  /** Always true. */
  success: boolean;
  /** The number of listings named in the request. */
  updatedCount: number;
};

/** The input of `flashMarkAsAvailable`. */
export interface FlashMarkAsAvailableInput {
  /** The ids of the listings; a repeated id counts once. */
  flashIds: string[];
}

/** The input of `flashMarkAsUnavailable`. */
export interface FlashMarkAsUnavailableInput {
  /** The ids of the listings; a repeated id counts once. */
  flashIds: string[];
}

/** A listing and its new position. */
export type FlashUpdate = {
  /** The id of a listing. Not `.`, `..` or `__…__`. */
  id: string;
  /** The new position of the listing: any number, so that one between two others moves it between them. */
  order: number;
};

/** The input of `flashReorder`. */
export interface FlashReorderInput {
  /** The listings and their new positions. */
  flashUpdates: FlashUpdate[];
}

/** A page of an artist's gallery photos. */
export type GalleryPage = {
  /** The photos on this page. */
  photos: GalleryPhoto[];
  /** The number of photos on all pages. */
  total: number;
} & PageEnd;

/** A photo in an artist's gallery. */
export type GalleryPhoto = {
  /** The id of the photo. */
  id: string;
  /** The artist who owns the photo. */
  artistId: string;
  /** The artist's name. */
  artistName?: string;
  /** The artist's user name. */
  artistUsername?: string;
  /** The address of the image. */
  url?: string;
  /** The address of a small image. */
  thumbnailUrl?: string;
  /** The origin of the photo, for example `social`. */
  source?: string;
  /** The position in the artist's gallery. */
  order?: number;
  /** When the photo was uploaded, in ms, UTC. */
  uploadedAt?: number;
  /** True if the photo is public. */
  isVisible: boolean;
  /** Details of the source. */
  sourceData?: {
    /** The id of the post. */
    socialId?: string;
    /** The address of the post. */
    permalink?: string;
    /** The text of the post. */
    caption?: string;
    /** The name of the uploaded file. */
    originalFileName?: string;
    /** The path of the image in the storage. */
    storageRef?: string;
    /** The address of the image at the source. */
    originalUrl?: string;
    /** The type of media, for example `IMAGE`. */
    mediaType?: string;
    /** When `url` was last renewed, in ms, UTC. */
    urlRefreshedAt?: number;
    /** The size of the image, in bytes. */
    fileSize?: number;
  };
  /** Free-form tags. */
  tags?: string[];
};

/** The input of `galleryListByArtist`. */
export interface GalleryListByArtistInput {
  /** The id of the artist. */
  artistId: string;
  /** The maximum number of items to return: 1 to 50, 20 by default. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page: the id of its last item. */
  cursor?: string | undefined;
}

/** The input of `galleryRemovePhotos`. */
export interface GalleryRemovePhotosInput {
  /** The ids of the photos; a repeated id counts once. */
  photoIds: string[];
}

/** The event was updated. */
export type EditEventResult = {
  /** Always true. */
  success: boolean;
  /** A sentence that confirms the update. */
  message: string;
};

/** The input of `unavailableEventsEditUnavailableEvent`. */
export interface UnavailableEventsEditUnavailableEventInput {
  /** The id of the event. Not `.`, `..` or `__…__`. */
  id: string;
  /** The title of the event: 1 to 200 characters. */
  title: string;
  /** The day of the event, in ms, UTC. */
  date: number;
  /** When the event starts, in ms, UTC. */
  startTime: number;
  /** When the event ends, in ms, UTC; later than `startTime`. */
  endTime: number;
}
