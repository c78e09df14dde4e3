import { pages } from '../../client/index.js';
import { api, attempt, auth, verifiedArtists } from '../api.js';
import { h, notify } from '../dom.js';
import { sortable } from '../sortable.js';

/** An artist's flash and gallery. Artists can arrange, mark and remove their own. */
export async function artist(options, id) {
  const isOwn = auth?.currentUser?.uid === id;
  const artists = await verifiedArtists(options);
  const sections = isOwn ? [ownFlash, ownGallery] : [flash, gallery];
  return [
    heading(artists.find((one) => one.id === id) ?? { displayName: 'Artist' }, isOwn),
    ...(await Promise.all(sections.map((section) => section(id, options)))),
  ];
}

function heading({ displayName, photoURL, artistInfo }, isOwn) {
  const name = isOwn ? auth.currentUser.displayName : displayName;
  return h(
    'div',
    { class: 'profile' },
    photoURL && h('img', { src: photoURL, alt: '', width: 120, height: 120 }),
    h(
      'div',
      {},
      h('h1', {}, name),
      artistInfo && h('p', { class: 'place' }, `@${artistInfo.username}`),
      artistInfo && h('p', {}, artistInfo.bio),
    ),
  );
}

/** A list that loads further pages on demand. */
async function growingList(title, listPages, elementsOf) {
  const list = h('ul', { class: 'pictures', role: 'list' });
  const heading = h('h2', {}, title);
  const more = h('button', { class: 'quiet', onclick: () => attempt(readPage) }, 'Show more');
  const readPage = async () => {
    const { value: page } = await listPages.next();
    heading.replaceChildren(title, h('span', { class: 'count' }, page.total));
    list.append(...elementsOf(page));
    more.hidden = !page.hasMore;
    if (page.total === 0) list.replaceWith(h('p', {}, 'Nothing here yet.'));
  };
  await readPage();
  return h('section', {}, heading, list, more);
}

function flash(id, options) {
  const listPages = pages(api.flash.listByArtist, { id, limit: 24 }, options);
  return growingList('Flash', listPages, (page) => page.flash.map((one) => listingCard(one)));
}

function gallery(artistId, options) {
  const listPages = pages(api.gallery.listByArtist, { artistId, limit: 24 }, options);
  return growingList('Gallery', listPages, ({ photos }) => photos.map((one) => photoCard(one)));
}

/** The artist's own flash, loaded completely so that it can be reordered. */
async function ownFlash(id, options) {
  const listings = [];
  for await (const page of pages(api.flash.listByArtist, { id, limit: 50 }, options)) {
    listings.push(...page.flash);
  }
  const byId = new Map(listings.map((listing) => [listing.id, listing]));
  const list = h('ul', { class: 'pictures', role: 'list' });
  const cards = listings.map((listing) =>
    listingCard(listing, handle(listing), checkbox(listing, listing.sourceData?.caption)),
  );
  list.append(...cards);

  sortable(list, async (ids) => {
    const flashUpdates = ids
      .map((one, order) => ({ id: one, order }))
      .filter(({ id: one, order }) => byId.get(one).order !== order);
    const isDone = await attempt(() => api.flash.reorder({ flashUpdates }));
    if (!isDone) return false;
    for (const { id: one, order } of flashUpdates) byId.get(one).order = order;
    notify('The new order is saved.');
    return true;
  });

  const mark = (isAvailable) => async (flashIds) => {
    await (isAvailable ? api.flash.markAsAvailable : api.flash.markAsUnavailable)({ flashIds });
    for (const one of flashIds) showAvailability(cardOf(list, one), isAvailable);
  };
  return h(
    'section',
    {},
    h('h2', {}, 'My flash', h('span', { class: 'count' }, listings.length)),
    h('p', { class: 'hint' }, 'Drag a picture by its handle, or use the arrow keys on the handle.'),
    list,
    selectionBar(list, {
      'Mark as available': mark(true),
      'Mark as unavailable': mark(false),
    }),
  );
}

async function ownGallery(artistId, options) {
  const photos = [];
  for await (const page of pages(api.gallery.listByArtist, { artistId, limit: 50 }, options)) {
    photos.push(...page.photos);
  }
  const list = h('ul', { class: 'pictures', role: 'list' });
  list.append(
    ...photos.map((photo) => photoCard(photo, checkbox(photo, photo.sourceData?.caption))),
  );
  const count = h('span', { class: 'count' }, photos.length);
  const remove = async (photoIds) => {
    if (!confirm(`Remove ${photoIds.length} of your photos? This cannot be undone.`)) return;
    await api.gallery.removePhotos({ photoIds });
    for (const id of photoIds) cardOf(list, id).remove();
    count.textContent = list.children.length;
  };
  return h(
    'section',
    {},
    h('h2', {}, 'My gallery', count),
    list,
    selectionBar(list, { Remove: remove }),
  );
}

/** Actions for the selected elements of a list. */
function selectionBar(list, actions) {
  const selected = () =>
    [...list.querySelectorAll('input:checked')].map((box) => box.closest('li').dataset.id);
  const count = h('span', {});
  const buttons = Object.entries(actions).map(([label, act]) =>
    h('button', { onclick: () => run(label, act) }, label),
  );
  const bar = h('div', { class: 'selection', hidden: true }, count, buttons);
  const refresh = () => {
    const { length } = selected();
    bar.hidden = length === 0;
    count.textContent = `${length} selected`;
  };
  const run = async (label, act) => {
    for (const button of buttons) button.disabled = true;
    if (await attempt(() => act(selected()))) {
      for (const box of list.querySelectorAll('input:checked')) box.checked = false;
      notify(`${label}: done.`);
    }
    for (const button of buttons) button.disabled = false;
    refresh();
  };
  list.addEventListener('change', refresh);
  return bar;
}

function listingCard({ id, sourceData, price, size, isAvailable }, ...tools) {
  const card = pictureCard(
    id,
    sourceData,
    h(
      'p',
      { class: 'facts' },
      price?.amount && h('strong', {}, `$${price.amount}`),
      size?.minSize && h('span', {}, `${size.minSize} to ${size.maxSize} ${size.unit}`),
      h('span', { class: 'availability' }),
    ),
    ...tools,
  );
  showAvailability(card, isAvailable);
  return card;
}

function showAvailability(card, isAvailable) {
  card.classList.toggle('is-taken', !isAvailable);
  card.querySelector('.availability').textContent = isAvailable ? '' : 'Taken';
}

function photoCard({ id, sourceData, url, thumbnailUrl }, ...tools) {
  return pictureCard(id, { ...sourceData, url, thumbnailUrl }, ...tools);
}

function pictureCard(id, { thumbnailUrl, url, caption } = {}, ...content) {
  return h(
    'li',
    { class: 'picture', 'data-id': id },
    h('img', { src: thumbnailUrl ?? url, alt: '', width: 400, height: 400, loading: 'lazy' }),
    h('p', {}, caption),
    ...content,
  );
}

function cardOf(list, id) {
  return [...list.children].find((card) => card.dataset.id === id);
}

function checkbox({ id }, caption = id) {
  return h('input', { type: 'checkbox', 'aria-label': `Select: ${caption}` });
}

function handle({ sourceData, id }) {
  const label = `Move: ${sourceData?.caption ?? id}`;
  return h('button', { type: 'button', class: 'handle', 'aria-label': label }, '⠿');
}
