import { pages } from '../../client/index.js';
import { api, CHANGED, elementsOf } from '../api.js';
import { counted, h, orNothing, ul } from '../dom.js';
import { cardOf, checkbox, photoCard } from '../pictures.js';
import { selectionBar } from '../selection.js';
import { noteWritten, withWritten } from '../written.js';

/** The artist's own photos, to remove some of them. */
export async function ownGallery(artistId, options) {
  const listPages = pages(api.gallery.listByArtist, { artistId, limit: 50 }, options);
  const photos = withWritten(await elementsOf(listPages, 'photos'));
  const list = ul(
    'pictures',
    photos.map((photo) => photoCard(photo, checkbox(photo))),
  );
  const count = h('span', { class: 'count' }, photos.length);
  const remove = async (photoIds) => {
    const these = counted(photoIds.length, 'photo');
    if (!confirm(`Remove ${these} from your gallery? This cannot be undone.`)) return undefined;
    try {
      await api.gallery.removePhotos({ photoIds });
    } catch (error) {
      // They are gone: an earlier attempt, whose response was lost, has removed them.
      if (error.code !== 'not-found' || !error.mayHaveSucceeded) throw error;
    }
    for (const id of photoIds) {
      noteWritten(id, { isRemoved: true });
      cardOf(list, id).remove();
    }
    count.textContent = list.children.length;
    return { text: `${these} removed.` };
  };
  return h(
    'section',
    {},
    h('h2', {}, 'My gallery', count),
    orNothing(list),
    selectionBar(list, { Remove: remove }, CHANGED),
  );
}
