import { use } from 'react';
import { useScreen } from './screen.ts';
import { usePagedList } from './usePagedList.ts';

/** Reads the verified artists. */
export function useArtists() {
  const { api, readOnce, signal } = useScreen();
  return use(readOnce('artists', () => api.artists.list(undefined, { signal })));
}

/** Reads an artist's flash listings, page by page or all of them. */
export function useArtistFlash(id: string, { all = false } = {}) {
  const { listByArtist } = useScreen().api.flash;
  return usePagedList(listByArtist, { id, limit: all ? 50 : 24 }, 'flash', { all });
}

/** Reads an artist's gallery photos, page by page or all of them. */
export function useArtistGallery(artistId: string, { all = false } = {}) {
  const { listByArtist } = useScreen().api.gallery;
  return usePagedList(listByArtist, { artistId, limit: all ? 50 : 24 }, 'photos', { all });
}

/** Reads the messages of a conversation, newest first, page by page. */
export function useMessages(conversationId: string) {
  const { getMessages } = useScreen().api.conversations;
  return usePagedList(getMessages, { conversationId, limit: 30 }, 'messages');
}
