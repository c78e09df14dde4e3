import { DAY, DEMO_NOW, HOUR, pick, threeDigits, type DemoDocument } from './document.ts';
import { artistId, clientId, DEMO_ARTISTS, DEMO_CLIENTS, slug } from './people.ts';

const WORKING_DAY = [
  { startTime: '10:00', endTime: '13:00' },
  { startTime: '14:00', endTime: '18:00' },
];
const WEEKLY_SLOTS = {
  Tuesday: WORKING_DAY,
  Wednesday: WORKING_DAY,
  Thursday: WORKING_DAY,
  Friday: WORKING_DAY,
  Saturday: [{ startTime: '11:00', endTime: '16:00' }],
  Sunday: [],
  Monday: [],
};
const RANGES = [
  { dateRangeType: 'indefinitely' },
  { dateRangeType: 'specific', effectiveUntil: DEMO_NOW + 60 * DAY },
  { dateRangeType: 'rolling', rollingDays: 30 },
] as const;

/** What artists plan: availability, blocked times and bookings. */
export function demoCalendars(): DemoDocument[] {
  return [...availability(), ...unavailableEvents(), ...bookings()];
}

function availability(): DemoDocument[] {
  return DEMO_ARTISTS.map((artist, index) => {
    const availabilityId = `availability-${slug(...artist.name)}`;
    return {
      path: `availability/${availabilityId}`,
      data: {
        artistId: artistId(artist),
        availabilityId,
        isActive: index % 5 !== 4,
        weeklySlots: WEEKLY_SLOTS,
        effectiveFrom: DEMO_NOW - 30 * DAY,
        createdAt: DEMO_NOW - 40 * DAY,
        updatedAt: DEMO_NOW - 30 * DAY,
        ...pick(RANGES, index),
      },
    };
  });
}

function unavailableEvents(): DemoDocument[] {
  return DEMO_ARTISTS.flatMap((artist, index) =>
    ['Convention in Chicago', 'Dentist', 'Guest spot'].slice(0, 1 + (index % 3)).map((title, n) => {
      const date = DEMO_NOW + (7 + index + n * 10) * DAY;
      return {
        path: `unavailableEvents/event-${slug(...artist.name)}-${n}`,
        data: {
          artistId: artistId(artist),
          title,
          date,
          startTime: date + 2 * HOUR,
          endTime: date + 6 * HOUR,
        },
      };
    }),
  );
}

function bookings(): DemoDocument[] {
  return Array.from({ length: 18 }, (_, index) => {
    const artist = DEMO_ARTISTS[index % 6] ?? DEMO_ARTISTS[0];
    const client = DEMO_CLIENTS[index % DEMO_CLIENTS.length] ?? DEMO_CLIENTS[0];
    if (artist === undefined || client === undefined) throw new Error('The demo has nobody.');
    return {
      path: `bookings/booking-${threeDigits(index)}`,
      data: {
        artistId: artistId(artist),
        clientId: clientId(client),
        status: pick(['requested', 'confirmed', 'completed'], index),
        createdAt: DEMO_NOW - (20 - index) * DAY,
        sessions: Array.from({ length: 1 + (index % 5) }, (_session, n) => ({
          sessionNumber: n + 1,
          date: DEMO_NOW + (10 + index + n * 21) * DAY,
          durationMinutes: 120 + 60 * (n % 3),
          deposit: { amount: '50', isPaid: n === 0 },
          notes: n === 0 ? 'Outline' : 'Shading',
        })),
      },
    };
  });
}
