/**
 * The document with examples that fit the demo data, until the document has them itself: then this file goes.
 */
const EXAMPLES: Readonly<Record<string, { parameters?: Record<string, unknown>; body?: object }>> =
  {
    'availability-updateAvailability': {
      body: {
        artistId: 'artist-mara-voss',
        availabilityId: 'availability-mara-voss',
        isActive: true,
        weeklySlots: { Tuesday: [{ startTime: '10:00', endTime: '16:00' }] },
        dateRangeType: 'rolling',
        rollingDays: 30,
        effectiveFrom: 1_793_000_000_000,
        createdAt: 1_793_000_000_000,
        updatedAt: 1_793_000_000_000,
      },
    },
    'bookings-deleteSession': { body: { bookingId: 'booking-006', sessionNumber: 2 } },
    'conversations-getMessages': { parameters: { conversationId: 'conversation-mara-robin' } },
    'flash-listByArtist': { parameters: { id: 'artist-mara-voss' } },
    'flash-markAsAvailable': { body: { flashIds: ['flash-mara-voss-000', 'flash-mara-voss-001'] } },
    'flash-markAsUnavailable': {
      body: { flashIds: ['flash-mara-voss-000', 'flash-mara-voss-001'] },
    },
    'flash-reorder': {
      body: {
        flashUpdates: [
          { id: 'flash-mara-voss-001', order: 0 },
          { id: 'flash-mara-voss-000', order: 1 },
        ],
      },
    },
    'gallery-listByArtist': { parameters: { artistId: 'artist-mara-voss' } },
    'gallery-removePhotos': { body: { photoIds: ['photo-mara-voss-063'] } },
    'unavailableEvents-editUnavailableEvent': {
      body: {
        id: 'event-mara-voss-0',
        title: 'Convention in Chicago',
        date: 1_793_000_000_000,
        startTime: 1_793_000_000_000,
        endTime: 1_793_030_000_000,
      },
    },
  };

interface Operation {
  readonly operationId: string;
  readonly parameters?: { name: string; example?: unknown }[];
  readonly requestBody?: { content: Record<string, { example?: unknown }> };
}

/** The document with these examples. */
export function demoExamples(document: object): object {
  const copy = structuredClone(document) as { paths: Record<string, Record<string, Operation>> };
  for (const operation of Object.values(copy.paths).flatMap((methods) => Object.values(methods))) {
    const example = EXAMPLES[operation.operationId];
    for (const parameter of operation.parameters ?? []) {
      const value = example?.parameters?.[parameter.name];
      if (value !== undefined) parameter.example = value;
    }
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      if (example?.body !== undefined) media.example = example.body;
    }
  }
  return copy;
}
