/** The deploy-time parameters of this service, besides those of every service. */
import { defineBooleanParameter, defineIntegerParameter } from '@tattoo-marketplace/endpoints';

const DAY_SECONDS = 86_400;

export const publicCacheSeconds = defineIntegerParameter('PUBLIC_CACHE_SECONDS', 0, DAY_SECONDS, {
  default: 300,
  description:
    'How long instances and the CDN may cache the artist list, in seconds; 0 turns caching off.',
});

export const pageCacheSeconds = defineIntegerParameter('PAGE_CACHE_SECONDS', 0, DAY_SECONDS, {
  default: 10,
  description:
    'How long the CDN may cache a page of flash or gallery photos, in seconds; 0 disables caching. So does 1 in effect, because the age is counted from the start of the read.',
});

export const publicContact = defineBooleanParameter(
  'PUBLIC_CONTACT',
  'Whether the artist list has the email address, phone number and payment account id of each artist. If not, they are not read either.',
  { default: true },
);
