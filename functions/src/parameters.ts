/** The deploy parameters of this service, in addition to those of every service. */
import { defineBooleanParameter, defineIntegerParameter } from '@tattoo-marketplace/endpoints';

const DAY_SECONDS = 86_400;

export const publicCacheSeconds = defineIntegerParameter('PUBLIC_CACHE_SECONDS', 0, DAY_SECONDS, {
  default: 300,
  description:
    'Maximum age of the artist list in instances and in the CDN, in seconds; 0 disables caching.',
});

export const pageCacheSeconds = defineIntegerParameter('PAGE_CACHE_SECONDS', 0, DAY_SECONDS, {
  default: 10,
  description:
    'Maximum age of a page of flash or gallery photos in the CDN, in seconds; 0 disables caching. So does 1 in effect, because the age is counted from the start of the read.',
});

export const publicContact = defineBooleanParameter(
  'PUBLIC_CONTACT',
  'Include the email address, phone number and payment account id of each artist in the artist list. If false, they are not read either.',
  { default: true },
);
