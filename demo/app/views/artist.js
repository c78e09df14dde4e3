import { pages } from '../../client/index.js';
import { api, attempt, auth, moreButton, nameOf, report, verifiedArtists } from '../api.js';
import { counted, h, hint, notify, ul } from '../dom.js';
import { moved, orderChanges } from '../order.js';
import { sortable } from '../sortable.js';

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

function orNothing(list) {
  return list.children.length > 0 ? list : hint('Nothing here yet.');
}

function flash(id, options) {
  const listPages = pages(api.flash.listByArtist, { id, limit: 24 }, options);
  return growingList('Flash', listPages, (page) => page.flash.map((one) => listingCard(one)));
}

function gallery(artistId, options) {
  const listPages = pages(api.gallery.listByArtist, { artistId, limit: 24 }, options);
  return growingList('Gallery', listPages, ({ photos }) => photos.map((one) => photoCard(one)));
}

/** What to say if the artist's own work has changed elsewhere: a request is carried out for all of its ids or none. */
const CHANGED = {
  'not-found': 'Some of these are no longer there, so nothing was changed. Please reload the page.',
};

/** The artist's own flash, loaded completely so that it can be reordered. */
async function ownFlash(id, options) {
  const listings = await allFlash(id, options);
  const list = ul('pictures', listings.map(ownListingCard));
  const saving = h('span', { role: 'status' });
  sortable(
    list,
    orderKeeper(list, () => allFlash(id, options), saving, options),
  );

  const mark = async (flashIds, isAvailable) => {
    await (isAvailable ? api.flash.markAsAvailable : api.flash.markAsUnavailable)({ flashIds });
    for (const one of flashIds) showAvailability(cardOf(list, one), isAvailable);
  };
  const marker = (isAvailable) => async (flashIds) => {
    const changed = flashIds.filter((one) => isTaken(cardOf(list, one)) === isAvailable);
    await mark(flashIds, isAvailable);
    const undo = async () => {
      if (await attempt(() => mark(changed, !isAvailable), CHANGED)) notify('Undone.');
    };
    const state = isAvailable ? 'available' : 'taken';
    notify(
      `${counted(flashIds.length, 'listing')} marked as ${state}.`,
      changed.length > 0 && undo,
    );
  };
  return h(
    'section',
    {},
    h('h2', {}, 'My flash', h('span', { class: 'count' }, listings.length)),
    hint('Drag a picture by its handle, or use the arrow keys on the handle. ', saving),
    orNothing(list),
    selectionBar(list, {
      'Mark as available': marker(true),
      'Mark as taken': marker(false),
    }),
  );
}

/** The largest page of listings, and the size of the next one. */
const LARGEST_PAGE = 50;
let pageSize = LARGEST_PAGE;

/** All listings as they are stored now: caches have pages for some seconds, so each time the pages have another size. */
async function allFlash(id, options) {
  pageSize = pageSize === LARGEST_PAGE / 2 ? LARGEST_PAGE : pageSize - 1;
  const listings = [];
  for await (const page of pages(api.flash.listByArtist, { id, limit: pageSize }, options)) {
    listings.push(...page.flash);
  }
  return listings;
}

/** How many listings one request can change. */
const LARGEST_REQUEST = 500;

/**
 * Saves each move of a listing: one after the other, in the order that is stored by then, because another device may have
 * changed it. If that fails, the order that is stored is shown again.
 */
function orderKeeper(list, read, saving, { signal, reload }) {
  const moves = [];
  let stored = [...list.children];
  let isPartlyStored = false;

  const storeAll = async () => {
    while (moves.length > 0) {
      const made = moves.splice(0);
      const listings = made.reduce((wanted, move) => wanted && moved(wanted, move), await read());
      if (listings === undefined) throw Object.assign(new Error(), { code: 'not-found' });
      const changes = orderChanges(listings);
      while (changes.length > 0) {
        await api.flash.reorder({ flashUpdates: changes.splice(0, LARGEST_REQUEST) });
        isPartlyStored = changes.length > 0;
      }
      stored = listings.map((one) => cardOf(list, one.id) ?? ownListingCard(one));
      if (moves.length === 0 && !list.querySelector('.is-dragged')) show(list, stored);
    }
  };

  return async ({ dataset: { id }, previousElementSibling }) => {
    moves.push({ id, after: previousElementSibling?.dataset.id });
    // The moves under way are followed by this one.
    if (saving.textContent !== '') return;
    saving.textContent = 'Saving …';
    try {
      await storeAll();
      notify('The new order is saved.');
    } catch (error) {
      moves.length = 0;
      await report(error, CHANGED);
      if (!error.mayHaveSucceeded && !isPartlyStored) show(list, stored);
      else if (!signal.aborted) await reload();
    } finally {
      saving.textContent = '';
    }
  };
}

/** Shows these cards of a list, and leaves the focus where it is. */
function show(list, cards) {
  const isShown = cards.every((card, index) => card === list.children[index]);
  if (isShown && cards.length === list.children.length) return;
  const focused = document.activeElement;
  list.replaceChildren(...cards);
  focused.focus();
}

async function ownGallery(artistId, options) {
  const photos = [];
  for await (const page of pages(api.gallery.listByArtist, { artistId, limit: 50 }, options)) {
    photos.push(...page.photos);
  }
  const list = ul(
    'pictures',
    photos.map((photo) => photoCard(photo, checkbox(photo))),
  );
  const count = h('span', { class: 'count' }, photos.length);
  const remove = async (photoIds) => {
    const these = counted(photoIds.length, 'photo');
    if (!confirm(`Remove ${these} from your gallery? This cannot be undone.`)) return false;
    try {
      await api.gallery.removePhotos({ photoIds });
    } catch (error) {
      // They are gone: an earlier attempt, whose response was lost, has removed them.
      if (error.code !== 'not-found' || !error.mayHaveSucceeded) throw error;
    }
    for (const id of photoIds) cardOf(list, id).remove();
    count.textContent = list.children.length;
    notify(`${these} removed.`);
  };
  return h(
    'section',
    {},
    h('h2', {}, 'My gallery', count),
    orNothing(list),
    selectionBar(list, { Remove: remove }),
  );
}

/**
 * Actions for the selected elements of a list. An action resolves with `false` if nothing was done. Enter leads from an
 * element to them, because with Tab there may be hundreds of steps.
 */
function selectionBar(list, actions) {
  const boxes = () => [...list.querySelectorAll('input:checked')];
  const count = h('span', { role: 'status' });
  const buttons = Object.entries(actions).map(([label, act]) =>
    h('button', { onclick: () => run(act) }, label),
  );
  const bar = h('div', { class: 'selection', hidden: true }, count, buttons);
  const refresh = () => {
    const { length } = boxes();
    bar.hidden = length === 0;
    count.textContent = `${length} selected. Press Enter to choose what to do.`;
  };
  const run = async (act) => {
    const isByKey = document.activeElement.matches(':focus-visible');
    const selected = boxes();
    for (const button of buttons) button.disabled = true;
    const isDone = await attempt(
      () => act(selected.map((box) => box.closest('li').dataset.id)),
      CHANGED,
    );
    if (isDone) for (const box of selected) box.checked = false;
    for (const button of buttons) button.disabled = false;
    refresh();
    const last = selected.at(-1);
    if (isByKey) (list.contains(last) ? last : list.querySelector('input'))?.focus();
  };
  list.addEventListener('change', refresh);
  list.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || bar.hidden || !event.target.matches('input')) return;
    event.preventDefault();
    buttons[0].focus();
  });
  return bar;
}

function ownListingCard(listing) {
  return listingCard(listing, handle(listing), checkbox(listing));
}

function listingCard({ id, sourceData, price, size, isAvailable }, ...tools) {
  const facts = [
    price?.amount && h('strong', {}, `$${price.amount}`),
    size?.minSize && h('span', {}, `${size.minSize} to ${size.maxSize} ${size.unit}`),
    h('span', { class: 'availability' }),
  ];
  const card = pictureCard(id, sourceData, h('p', { class: 'facts' }, facts), ...tools);
  showAvailability(card, isAvailable);
  return card;
}

function showAvailability(card, isAvailable) {
  card.classList.toggle('is-taken', !isAvailable);
  card.querySelector('.availability').textContent = isAvailable ? '' : 'Taken';
}

function isTaken(card) {
  return card.classList.contains('is-taken');
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

function checkbox({ id, sourceData }) {
  return h('input', { type: 'checkbox', 'aria-label': `Select: ${sourceData?.caption ?? id}` });
}

function handle({ id, sourceData }) {
  const label = `Move: ${sourceData?.caption ?? id}`;
  return h('button', { type: 'button', class: 'handle', 'aria-label': label }, '⠿');
}
