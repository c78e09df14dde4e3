import { pages } from '../../client/index.js';
import { api, auth, moreButton, nameOf, verifiedArtists } from '../api.js';
import { h, orNothing, ul } from '../dom.js';
import { listingCard, photoCard } from '../pictures.js';
import { ownFlash } from './ownFlash.js';
import { ownGallery } from './ownGallery.js';

/** An artist's flash and gallery. Artists can arrange, mark and remove their own. */
export async function artist(options, id) {
  const isOwn = auth?.currentUser?.uid === id;
  const artists = await verifiedArtists();
  const sections = isOwn ? [ownFlash, ownGallery] : [flash, gallery];
  const { displayName } = isOwn ? auth.currentUser : { displayName: 'Artist' };
  return [
    heading(artists.find((one) => one.id === id) ?? { displayName }),
    ...(await Promise.all(sections.map((section) => section(id, options)))),
  ];
}

function heading(user) {
  const { photoURL, artistInfo: { username, bio } = {} } = user;
  const photo = photoURL && h('img', { src: photoURL, alt: '', width: 120, height: 120 });
  const place = username && h('p', { class: 'place' }, `@${username}`);
  const facts = h('div', {}, h('h1', {}, nameOf(user)), place, h('p', {}, bio));
  return h('div', { class: 'profile' }, photo, facts);
}

function flash(id, options) {
  const listPages = pages(api.flash.listByArtist, { id, limit: 24 }, options);
  return growingList('Flash', listPages, (page) => page.flash.map((one) => listingCard(one)));
}

function gallery(artistId, options) {
  const listPages = pages(api.gallery.listByArtist, { artistId, limit: 24 }, options);
  return growingList('Gallery', listPages, ({ photos }) => photos.map((one) => photoCard(one)));
}

/** A list that grows page by page. */
async function growingList(title, listPages, cardsOf) {
  const list = ul('pictures', []);
  const count = h('span', { class: 'count' });
  const more = await moreButton('Show more', listPages, (page) => {
    count.textContent = page.total;
    list.append(...cardsOf(page));
  });
  return h('section', {}, h('h2', {}, title, count), orNothing(list), more);
}
