import * as z from 'zod';
import { defineCollection, storedTime } from '@tattoo-marketplace/collections';
import { safeInteger } from '@tattoo-marketplace/endpoints';

const Location = z
  .object({
    address: z.string().optional().describe('Street and number.'),
    city: z.string().optional().describe('The city.'),
    state: z.string().optional().describe('The state or region.'),
    country: z.string().optional().describe('The country.'),
    latitude: z.number().optional().describe('Degrees north.'),
    longitude: z.number().optional().describe('Degrees east.'),
  })
  .meta({ id: 'Location', description: 'A place.' });

export const PaymentProvider = z.object({
  isEnabled: z.boolean().default(false).describe('True if payments are enabled.'),
  accountId: z.string().default('').describe('The id of the account at the provider.'),
  isChargesEnabled: z.boolean().default(false).describe('True if charges can be made.'),
  isPayoutsEnabled: z.boolean().default(false).describe('True if payouts can be made.'),
});

/** Creates the schema of a user's settings. Missing settings have defaults at every level. */
export function createPreferencesSchema(paymentProvider: z.ZodObject) {
  return z
    .object({
      notifications: z
        .object({
          bookings: z
            .object({
              newRequests: z.boolean().default(true).describe('New booking requests.'),
              bookingUpdates: z.boolean().default(true).describe('Changes to bookings.'),
              payments: z.boolean().default(true).describe('Payments.'),
              conversations: z.boolean().default(true).describe('New messages.'),
            })
            .prefault({})
            .describe('The booking notifications that the user wants.'),
          marketing: z
            .boolean()
            .default(false)
            .describe('True if the user wants marketing messages.'),
        })
        .prefault({})
        .describe('The notifications that the user wants.'),
      integrations: z
        .object({
          paymentProvider: paymentProvider.prefault({}).describe('The payment provider.'),
        })
        .prefault({})
        .describe('Settings of connected services.'),
    })
    .prefault({})
    .describe('The user’s settings, with defaults for missing ones.');
}

export const ArtistInfo = z.object({
  username: z
    .string()
    .optional()
    .describe('The user name. The program that writes it keeps it unique.'),
  workLocations: z.array(Location).optional().describe('The work locations of the artist.'),
  tattooStyles: z.array(z.string()).optional().describe('The styles that the artist works in.'),
  bio: z.string().optional().describe('The artist’s description of themselves.'),
  links: z
    .array(
      z.object({
        url: z.string().optional().describe('The address.'),
        order: z.number().optional().describe('The position among the links.'),
      }),
    )
    .optional()
    .describe('Links to other sites.'),
  useCustomBookingFlow: z
    .boolean()
    .optional()
    .describe('True if the artist has a custom booking flow.'),
  customBookingType: z.string().optional().describe('The type of custom booking flow.'),
  customBookingUrl: z.string().optional().describe('The URL of the custom booking flow.'),
  isVerified: z.boolean().optional().describe('True if the artist is verified.'),
  bookingFaqs: z
    .array(
      z.object({
        type: z
          .string()
          .optional()
          .describe('The type of question, for example `Cancellation/Rescheduling Policy`.'),
        description: z.string().optional().describe('The answer.'),
        title: z.string().optional().describe('The question.'),
      }),
    )
    .optional()
    .describe('Frequently asked questions about booking.'),
  displayDailyAvailability: z.boolean().optional().describe('True if available days are shown.'),
});

const ClientInfo = z.object({
  preferredStyles: z.array(z.string()).optional().describe('The styles that the client likes.'),
  homeLocation: Location.optional().describe('The location of the client.'),
});

const StudioInfo = z.object({
  studioName: z.string().optional().describe('The name of the studio.'),
  studioLocation: Location.optional().describe('The location of the studio.'),
  studioStyles: z.array(z.string()).optional().describe('The styles that the studio offers.'),
  email: z.string().optional().describe('The e-mail address of the studio.'),
  phoneNumber: z.string().optional().describe('The telephone number of the studio.'),
  artistEmailInvites: z.array(z.string()).optional().describe('Artists who were invited.'),
});

export const ARTIST_INFO_DESCRIPTION = 'Present if `userType` is `artist`.';

/** A user in a response. */
export const User = z.object({
  id: z.string().describe('The id of the user.'),
  email: z.string().optional().describe('The e-mail address.'),
  displayName: z.string().optional().describe('The name that is shown.'),
  firstName: z.string().optional().describe('The first name.'),
  lastName: z.string().optional().describe('The last name.'),
  pronouns: z
    .enum(["Don't Specify", 'He/Him', 'She/Her', 'They/Them', 'Other'])
    .optional()
    .describe("The user's pronouns."),
  otherPronouns: z.string().optional().describe('The pronouns if `pronouns` is `Other`.'),
  photoURL: z.string().optional().describe('The address of the profile photo.'),
  createdAt: storedTime.optional().describe('When the account was created, in ms, UTC.'),
  phoneNumber: z.string().optional().describe('The telephone number.'),
  userType: z.enum(['artist', 'client', 'studio']).optional().describe('The type of account.'),
  howDidYouHearAboutUs: z.string().optional().describe('The referral source.'),
  isEmailVerified: z.boolean().optional().describe('True if the e-mail address is verified.'),
  preferences: createPreferencesSchema(PaymentProvider),
  integrations: z
    .object({
      social: z
        .object({
          userId: z.string().optional().describe('The id on the platform.'),
          username: z.string().optional().describe('The user name on the platform.'),
          connectedAt: storedTime.optional().describe('When it was connected, in ms, UTC.'),
        })
        .optional()
        .describe('The social platform.'),
    })
    .optional()
    .describe('Connected services: public information only.'),
  artistInfo: ArtistInfo.optional().describe(ARTIST_INFO_DESCRIPTION),
  clientInfo: ClientInfo.optional().describe('Information about a client. No response has it yet.'),
  studioInfo: StudioInfo.optional().describe('Information about a studio. No response has it yet.'),
});

export const users = defineCollection('users', {
  description:
    'Artists, clients and studios. The id of a document is the uid of the Firebase Auth user.',
  schema: User.extend({
    newNotificationsCount: safeInteger
      .optional()
      .describe('The number of notifications that the user has not seen.'),
  }),
});

/** Selects the caller's own profile, to change it with `updateOwned`. */
export function selectProfile(callerId: string) {
  return {
    collection: users,
    // The ID token names the profile.
    documents: [{ Authorization: callerId }],
    callerId,
    ownedBy: 'id',
    missingMessage: 'There is no profile for this account.',
  } as const;
}
