import { useMarketplace } from './MarketplaceContext.ts';
import { usePagedList } from './usePagedList.ts';

/** Reads the messages of a conversation, newest first, page by page. */
export function useMessages(conversationId: string) {
  const { getMessages } = useMarketplace().api.conversations;
  const input = { conversationId, limit: 30 };
  return usePagedList('messages', getMessages, input, ({ messages }) => messages);
}
