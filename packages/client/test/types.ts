/**
 * Checks of the client's types, made by `npm run typecheck` under every strict option. Nothing runs this file. If a line
 * below `@ts-expect-error` compiles, the comment becomes an error.
 */
import {
  pages,
  type Availability,
  type ErrorCode,
  type Input,
  type MarketplaceClient,
  type MarketplaceError,
  type OperationId,
  type operations,
  type Output,
} from '@tattoo-marketplace/client';

export async function misuse(
  api: MarketplaceClient,
  error: MarketplaceError,
  cursor: string | undefined,
): Promise<void> {
  // @ts-expect-error The body is required.
  await api.gallery.removePhotos();
  // @ts-expect-error A field of the body is missing.
  await api.flash.reorder({});
  // @ts-expect-error The parameter of the path is required.
  await api.flash.listByArtist({ limit: 5 });
  // @ts-expect-error The parameter of the query is required.
  await api.conversations.getMessages({});
  // @ts-expect-error This operation takes nothing.
  await api.notifications.resetNewNotifications({ uid: 'a' });
  // @ts-expect-error This operation has no pages.
  pages(api.artists.list, {});
  // @ts-expect-error There is no such day.
  await api.availability.updateAvailability({ ...schedule, weeklySlots: { Moonday: [] } });
  // @ts-expect-error A specific range needs its end.
  await api.availability.updateAvailability({ ...schedule, dateRangeType: 'specific' });
  // Codes may be added, and are keys of the app's own sentences.
  const sentences: Partial<Record<ErrorCode, string>> = { 'not-found': 'Gone.', 'some-day': '' };
  sentences[error.code] satisfies string | undefined;
  // An optional parameter may be undefined, as a cursor is on the first page.
  const page = await api.flash.listByArtist({ id: 'a', cursor });
  // @ts-expect-error The last page has no cursor for another one.
  page.nextCursor satisfies string;
  if (page.hasMore) page.nextCursor satisfies string;
  else page.nextCursor satisfies undefined;
  for (const { artistId, isVisible, order } of page.flash) {
    ({ artistId, isVisible }) satisfies { artistId: string; isVisible: boolean };
    // @ts-expect-error What orders a list may be missing.
    order satisfies number;
  }
  for await (const { photos } of pages(api.gallery.listByArtist, { artistId: 'a' })) {
    photos satisfies readonly { artistId: string; isVisible: boolean }[];
  }
}

const schedule: Availability = {
  artistId: 'a',
  availabilityId: 'b',
  isActive: true,
  weeklySlots: { Monday: [] },
  dateRangeType: 'indefinitely',
  effectiveFrom: 1,
  createdAt: 1,
  updatedAt: 1,
};

/** The operations whose types are not those of the OpenAPI document. */
type WrongOperation = {
  [Id in OperationId]: [Result<Id>, Omit<Output<Id>, 'nextCursor'>] extends [
    Omit<Output<Id>, 'nextCursor'>,
    Result<Id>,
  ]
    ? Request<Id> extends Input<Id>
      ? never
      : Id
    : Id;
}[Exclude<OperationId, 'availabilityUpdateAvailability'>];
type Result<Id extends OperationId> = Omit<
  operations[Id]['responses'][200]['content']['application/json'],
  'nextCursor'
>;
type Request<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : operations[Id]['parameters'] extends { path?: infer Path; query?: infer Query }
    ? Path & Query
    : never;

export const wrongOperations: readonly never[] = [] as WrongOperation[];
