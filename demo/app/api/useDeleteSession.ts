import { errorDetails } from './errorMessages.ts';
import { useMarketplace } from './MarketplaceContext.ts';

/** Deletes a session of a booking. Resolves with false if there is no such session. */
export function useDeleteSession() {
  const { deleteSession } = useMarketplace().api.bookings;
  return async (bookingId: string, sessionNumber: number) => {
    try {
      await deleteSession({ bookingId, sessionNumber });
      return true;
    } catch (error) {
      if (errorDetails(error).code === 'not-found') return false;
      throw error;
    }
  };
}
