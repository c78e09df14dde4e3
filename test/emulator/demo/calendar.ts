import { DAY, DEMO_NOW, HOUR, pick, threeDigits, type DemoDocument } from './document.ts';
import { artistId, clientId, DEMO_ARTISTS, DEMO_CLIENTS, slug } from './people.ts';

/** Midnight of the demo's day, a Thursday, and the length of a week, in ms. */
const TODAY = DEMO_NOW - 10 * HOUR;
const WEEK = 7 * DAY;

const FULL_DAY = [
  { startTime: '10:00', endTime: '13:00' },
  { startTime: '14:00', endTime: '18:00' },
];
const SHORT_DAY = [{ startTime: '11:00', endTime: '16:00' }];
const EVENING = [{ startTime: '15:00', endTime: '21:00' }];
/** Different weeks, all open on Thursdays and Fridays, when the demo's sessions are. */
const WEEKS = [
  {
    Sunday: [],
    Monday: [],
    Tuesday: FULL_DAY,
    Wednesday: FULL_DAY,
    Thursday: FULL_DAY,
    Friday: FULL_DAY,
    Saturday: SHORT_DAY,
  },
  {
    Sunday: SHORT_DAY,
    Monday: [],
    Tuesday: [],
    Wednesday: EVENING,
    Thursday: EVENING,
    Friday: EVENING,
    Saturday: FULL_DAY,
  },
] as const;
const RANGES = [
  { dateRangeType: 'indefinitely' },
  { dateRangeType: 'specific', effectiveUntil: TODAY + 60 * DAY },
  { dateRangeType: 'rolling', rollingDays: 30 },
] as const;

/** The calendars of artists: availability, blocked times and bookings. */
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
        weeklySlots: pick(WEEKS, index),
        effectiveFrom: TODAY - 30 * DAY,
        createdAt: DEMO_NOW - 40 * DAY,
        updatedAt: DEMO_NOW - 30 * DAY,
        ...pick(RANGES, index),
      },
    };
  });
}

const EVENTS = [
  { title: 'Convention in Chicago', startHour: 15, hours: 9 },
  { title: 'Dentist', startHour: 16, hours: 2 },
  { title: 'Guest spot in Berlin', startHour: 12, hours: 10 },
  { title: 'Family lunch', startHour: 18, hours: 3 },
  { title: 'Machine maintenance', startHour: 20, hours: 2 },
] as const;

function unavailableEvents(): DemoDocument[] {
  return DEMO_ARTISTS.flatMap((artist, index) =>
    Array.from({ length: 1 + (index % 3) }, (_, n) => {
      const { title, startHour, hours } = pick(EVENTS, index + n);
      // On Sundays and Mondays, when there are no sessions.
      const date = TODAY + (1 + index + n * 2) * WEEK + pick([3, 4] as const, index + n) * DAY;
      const startTime = date + startHour * HOUR;
      return {
        path: `unavailableEvents/event-${slug(...artist.name)}-${n}`,
        data: {
          artistId: artistId(artist),
          title,
          date,
          startTime,
          endTime: startTime + hours * HOUR,
        },
      };
    }),
  );
}

/** The number of bookings, and of artists who have them; each of these has a booking of every status. */
const BOOKINGS = 18;
const BOOKED_ARTISTS = 6;

function bookings(): DemoDocument[] {
  const artists = DEMO_ARTISTS.slice(0, BOOKED_ARTISTS).map(artistId);
  const clients = DEMO_CLIENTS.map(clientId);
  return Array.from({ length: BOOKINGS }, (_, index) => {
    const round = Math.floor(index / BOOKED_ARTISTS);
    const status = pick(['requested', 'confirmed', 'completed'] as const, index + round);
    const sessions = sessionsOf(status, 1 + (index % 5), index);
    return {
      path: `bookings/booking-${threeDigits(index)}`,
      data: {
        artistId: artists[index % artists.length],
        clientId: clients[(index + round) % clients.length],
        status,
        createdAt: Math.min(...sessions.map(({ date }) => date)) - 3 * WEEK,
        sessions,
      },
    };
  });
}

type BookingStatus = 'requested' | 'confirmed' | 'completed';

/** Sessions three weeks apart: all in the future, only the first in the past, or all in the past. */
function sessionsOf(status: BookingStatus, count: number, bookingNumber: number) {
  const firstWeek = {
    requested: 2,
    confirmed: count > 1 ? -1 : 1,
    completed: -3 * count,
  }[status];
  return Array.from({ length: count }, (_, n) => {
    const date = TODAY + (firstWeek + 3 * n) * WEEK + (bookingNumber % 2) * DAY;
    const planned = status === 'requested' ? 'requested' : 'scheduled';
    return {
      sessionNumber: n + 1,
      date,
      startTime: date + (17 + (bookingNumber % 4)) * HOUR,
      durationMinutes: 120 + 60 * (n % 3),
      status: date < DEMO_NOW ? 'completed' : planned,
      deposit: { amount: '50', isPaid: n === 0 && status !== 'requested' },
      notes: pick(['Outline', 'Shading', 'Colour', 'Details', 'Touch-up'] as const, n),
    };
  });
}
