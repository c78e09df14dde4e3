import { pages, type Pages, type User } from '@tattoo-marketplace/client';
import { api, auth, moreButton, nameOf, verifiedArtists, type ViewOptions } from '../api.ts';
import { h, orNothing, ul, type Child } from '../dom.ts';
import { cardOf, listingCard, photoCard } from '../pictures.ts';
import { ownFlash } from './ownFlash.ts';
import { ownGallery } from './ownGallery.ts';

/** An artist's flash and gallery. Artists can arrange, mark and remove their own. */
export async function artist(options: ViewOptions, id: string): Promise<Child[]> {
  const user = auth.currentUser?.uid === id ? auth.currentUser : undefined;
  const artists = await verifiedArtists();
  const sections = user ? [ownFlash, ownGallery] : [flash, gallery];
  const displayName = user ? (user.displayName ?? '') : 'Artist';
  return [
    heading(artists.find((each) => each.id === id) ?? { displayName }),
    ...(await Promise.all(sections.map((section) => section(id, options)))),
  ];
}

function heading(user: Partial<User>): HTMLElement {
  const { photoURL, artistInfo } = user;
  const photo = photoURL && h('img', { src: photoURL, alt: '', width: 120, height: 120 });
  const place = artistInfo?.username && h('p', { class: 'place' }, `@${artistInfo.username}`);
  const facts = h('div', {}, h('h1', {}, nameOf(user)), place, h('p', {}, artistInfo?.bio));
  return h('div', { class: 'profile' }, photo, facts);
}

function flash(id: string, options: ViewOptions): Promise<HTMLElement> {
  const open = () => pages(api.flash.listByArtist, { id, limit: 24 }, options);
  return growingList('Flash', open, (page) => page.flash, listingCard);
}

function gallery(artistId: string, options: ViewOptions): Promise<HTMLElement> {
  const open = () => pages(api.gallery.listByArtist, { artistId, limit: 24 }, options);
  return growingList('Gallery', open, ({ photos }) => photos, photoCard);
}

/** A list that grows page by page. */
async function growingList<
  Page extends { readonly hasMore: boolean; readonly total: number },
  Element extends { readonly id: string },
>(
  title: string,
  open: () => Pages<Page>,
  inPage: (page: Page) => readonly Element[],
  card: (element: Element) => HTMLElement,
): Promise<HTMLElement> {
  const list = ul('pictures', []);
  const count = h('span', { class: 'count' });
  const more = await moreButton('Show more', open, (page, isFirst) => {
    count.textContent = String(page.total);
    if (isFirst) list.replaceChildren();
    // Pages of different age may have an element twice.
    const unseen = inPage(page).filter(({ id }) => cardOf(list, id) === undefined);
    const cards = unseen.map((element) => card(element));
    list.append(...cards);
    return cards[0]?.querySelector('button');
  });
  return h('section', {}, h('h2', {}, title, ' ', count), orNothing(list), more);
}
