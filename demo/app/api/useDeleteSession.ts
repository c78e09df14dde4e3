import type { MarketplaceError } from '@tattoo-marketplace/client';
import { useMarketplace } from './MarketplaceContext.ts';

/** Deletes a session of a booking. Resolves with false if there is no such session. */
export function useDeleteSession() {
  const { deleteSession } = useMarketplace().bookings;
  return async (bookingId: string, sessionNumber: number) => {
    try {
      await deleteSession({ bookingId, sessionNumber });
      return true;
    } catch (error) {
      if ((error as Partial<MarketplaceError>).code === 'not-found') return false;
      throw error;
    }
  };
}
