import { DAY, DEMO_NOW, pick, type DemoDocument } from './document.ts';
import {
  artistId,
  CITIES,
  clientId,
  DEMO_ARTISTS,
  DEMO_CLIENTS,
  joinedAt,
  slug,
  STUDIO_ID,
  usernameOf,
  type DemoArtist,
} from './people.ts';

/** The user documents: artists, clients and the studio. */
export function demoUsers(pictures: string): DemoDocument[] {
  return [
    ...DEMO_ARTISTS.map((artist, index) => artistDocument(artist, index, pictures)),
    ...DEMO_CLIENTS.map((name, index) => clientDocument(name, index, pictures)),
    studioDocument(pictures),
  ];
}

function artistDocument(artist: DemoArtist, index: number, pictures: string): DemoDocument {
  const [first, last] = artist.name;
  const username = usernameOf(artist);
  const joined = joinedAt(index);
  return {
    path: `users/${artistId(artist)}`,
    data: {
      ...person([first, last], index, pictures),
      userType: 'artist',
      pronouns: artist.pronouns,
      ...(artist.pronouns === 'Other' && { otherPronouns: 'xe/xem' }),
      createdAt: index % 4 === 0 ? new Date(joined) : joined,
      preferences: artistPreferences(index),
      integrations: {
        social: {
          userId: String(17_841_400_000_000 + index),
          username,
          connectedAt: joined + DAY,
          // These must never be returned by the API.
          accessToken: `demo-access-token-${index}`,
          refreshToken: `demo-refresh-token-${index}`,
        },
        paymentProvider: { secretKey: `demo-secret-key-${index}` },
      },
      artistInfo: {
        username,
        workLocations: index % 5 === 0 ? [artist.city, pick(CITIES, index + 1)] : [artist.city],
        tattooStyles: artist.styles,
        bio: artist.bio,
        links: [
          { url: `https://${username.replace('.', '')}.example.com`, order: 0 },
          { url: `https://social.example.com/${username}`, order: 1 },
        ],
        useCustomBookingFlow: index % 6 === 5,
        customBookingType: index % 6 === 5 ? 'form' : '',
        customBookingUrl: index % 6 === 5 ? `https://book.example.com/${username}` : '',
        isVerified: artist.isVerified,
        bookingFaqs: [{ type: 'Cancellation/Rescheduling Policy', ...pick(POLICIES, index) }],
        displayDailyAvailability: index % 2 === 0,
      },
      newNotificationsCount: (index * 3) % 8,
      internalNotes: artist.isVerified
        ? 'Portfolio checked by hand.'
        : 'Waiting for a copy of the licence.',
    },
  };
}

const POLICIES = [
  {
    title: 'Can I move my session?',
    description: 'Yes, up to 48 hours before it starts. After that the deposit is kept.',
  },
  {
    title: 'What if I am ill?',
    description:
      'Stay at home and write to me. We find another day and the deposit moves with you.',
  },
  {
    title: 'How do I cancel?',
    description:
      'Send a message a week ahead and the deposit comes back; later it pays for the design.',
  },
] as const;

function clientDocument(
  name: readonly [string, string],
  index: number,
  pictures: string,
): DemoDocument {
  return {
    path: `users/${clientId(name)}`,
    data: {
      ...person(name, 40 + index, pictures),
      userType: 'client',
      pronouns: pick(['She/Her', 'He/Him', 'They/Them'], index),
      createdAt: DEMO_NOW - (200 - index) * DAY,
      clientInfo: {
        preferredStyles: [pick(['traditional', 'fine line', 'blackwork', 'colour'], index)],
        homeLocation: pick(CITIES, index),
      },
      newNotificationsCount: index,
      passwordHash: 'demo-password-hash',
    },
  };
}

function studioDocument(pictures: string): DemoDocument {
  const [location] = CITIES;
  return {
    path: `users/${STUDIO_ID}`,
    data: {
      ...person(['Alder Street', 'Tattoo'], 60, pictures),
      firstName: 'Gwen',
      lastName: 'Abara',
      userType: 'studio',
      pronouns: "Don't Specify",
      createdAt: DEMO_NOW - 500 * DAY,
      studioInfo: {
        studioName: 'Alder Street Tattoo',
        studioLocation: location,
        studioStyles: ['traditional', 'blackwork', 'irezumi'],
        email: 'front.desk@example.com',
        phoneNumber: '+15035550160',
        artistEmailInvites: ['mara.voss@example.com', 'jun.takahashi@example.com'],
      },
      newNotificationsCount: 2,
    },
  };
}

function person([first, last]: readonly [string, string], number: number, pictures: string) {
  return {
    email: emailOf(first, last),
    displayName: `${first} ${last}`,
    firstName: first,
    lastName: last,
    photoURL: `${pictures}/users/${slug(first, last)}.svg`,
    phoneNumber: `+1503555${String(100 + number).padStart(4, '0')}`,
    howDidYouHearAboutUs: pick(['A friend', 'Social media', 'A convention'], number),
    isEmailVerified: number % 7 !== 6,
  };
}

/** The e-mail address with which a person of the demo signs in. */
export function emailOf(first: string, last: string): string {
  return `${slug(first)}.${slug(last)}@example.com`;
}

/** Most users have set some preferences, some all, some none: the service adds the defaults. */
function artistPreferences(index: number): object {
  const choices = [
    { notifications: { bookings: { payments: false }, marketing: true } },
    {
      integrations: {
        paymentProvider: {
          isEnabled: true,
          accountId: `acct_demo_${index}`,
          isChargesEnabled: true,
          isPayoutsEnabled: index % 2 === 0,
        },
      },
    },
    {},
  ] as const;
  return pick(choices, index);
}
