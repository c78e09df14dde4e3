import { useMarketplace } from './MarketplaceContext.ts';
import { usePagedList } from './usePagedList.ts';

/** Reads the messages of a conversation, newest first, page by page. */
export function useMessages(conversationId: string) {
  const { getMessages } = useMarketplace().conversations;
  return usePagedList(getMessages, { conversationId, limit: 30 }, ({ messages }) => messages);
}
