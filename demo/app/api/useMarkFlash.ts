import type { FlashListing } from '@tattoo-marketplace/client';
import { useMarketplace } from './MarketplaceContext.ts';
import type { PagedList } from './usePagedList.ts';

/** Marks the artist's own listings as available or as taken: all of them, or none. */
export function useMarkFlash({ setItems }: PagedList<FlashListing>) {
  const { markAsAvailable, markAsUnavailable } = useMarketplace().api.flash;
  return async (flashIds: string[], isAvailable: boolean) => {
    await (isAvailable ? markAsAvailable : markAsUnavailable)({ flashIds });
    const mark = (listing: FlashListing) =>
      flashIds.includes(listing.id) ? { ...listing, isAvailable } : listing;
    setItems((listings) => listings.map(mark));
  };
}
