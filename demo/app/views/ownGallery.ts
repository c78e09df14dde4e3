import { pages } from '@tattoo-marketplace/client';
import { api, CHANGED, elementsOf, failureOf, type ViewOptions } from '../api.ts';
import { counted, h, orNothing, ul } from '../dom.ts';
import { cardOf, checkbox, photoCard } from '../pictures.ts';
import { selectionBar } from '../selection.ts';

/** The artist's own photos, to remove some of them. */
export async function ownGallery(artistId: string, options: ViewOptions): Promise<HTMLElement> {
  const listPages = pages(api.gallery.listByArtist, { artistId, limit: 50 }, options);
  const photos = await elementsOf(listPages, (page) => page.photos);
  const list = ul(
    'pictures',
    photos.map((photo) => photoCard(photo, checkbox(photo))),
  );
  const count = h('span', { class: 'count' }, photos.length);
  const remove = async (photoIds: string[]) => {
    const these = counted(photoIds.length, 'photo');
    if (!confirm(`Remove ${these} from your gallery? This cannot be undone.`)) return undefined;
    try {
      await api.gallery.removePhotos({ photoIds });
    } catch (error) {
      // They are gone: an earlier attempt, whose response was lost, has removed them.
      const { code, mayHaveSucceeded } = failureOf(error);
      if (code !== 'not-found' || !mayHaveSucceeded) throw error;
    }
    for (const id of photoIds) cardOf(list, id)?.remove();
    count.textContent = String(list.children.length);
    return { text: `${these} removed.` };
  };
  return h(
    'section',
    {},
    h('h2', {}, 'My gallery ', count),
    orNothing(list),
    selectionBar(list, { Remove: remove }, CHANGED),
  );
}
