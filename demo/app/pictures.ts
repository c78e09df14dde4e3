import { counted, h, quiet } from './dom.js';

/** The card of a flash listing. */
export function listingCard(listing, ...tools) {
  const { id, sourceData, price, isAvailable } = listing;
  const size = sizeOf(listing);
  const facts = h(
    'p',
    { class: 'facts' },
    price?.amount && h('strong', {}, priceOf(listing)),
    size && h('span', {}, size),
    h('span', { class: 'availability' }),
  );
  const open = () => {
    const status = isTaken(card) ? 'Taken' : 'Available';
    showDetails(sourceData, { ...listingFacts(listing), Status: status });
  };
  const card = pictureCard(id, sourceData, open, facts, ...tools);
  showAvailability(card, isAvailable);
  return card;
}

/** The card of a photo. */
export function photoCard(photo, ...tools) {
  const { id, sourceData, url, thumbnailUrl, artistName, tags } = photo;
  const picture = { ...sourceData, url, thumbnailUrl };
  const open = () => showDetails(picture, { Artist: artistName, Tags: tags?.join(', ') });
  return pictureCard(id, picture, open, ...tools);
}

export function showAvailability(card, isAvailable) {
  card.classList.toggle('is-taken', !isAvailable);
  card.querySelector('.availability').textContent = isAvailable ? '' : 'Taken';
}

export function isTaken(card) {
  return card.classList.contains('is-taken');
}

export function cardOf(list, id) {
  return [...list.children].find((card) => card.dataset.id === id);
}

/** What a listing or photo is called in the labels of its controls. */
export const titleOf = ({ id, sourceData }) => sourceData?.caption ?? id;

export function checkbox(one) {
  return h('input', { type: 'checkbox', 'aria-label': `Select: ${titleOf(one)}` });
}

const priceOf = ({ price }) => `$${price.amount}`;

/** `2 to 3 in`, or what is known of it. */
function sizeOf({ size: { minSize, maxSize, unit } = {} }) {
  const range = [minSize, maxSize].filter(Boolean).join(' to ');
  return range && [range, unit].filter(Boolean).join(' ');
}

function listingFacts(listing) {
  const { artistName, styles, price, sessionDuration, notes } = listing;
  return {
    Artist: artistName,
    Styles: styles?.join(', '),
    Size: sizeOf(listing),
    Duration: sessionDuration?.blocks && counted(sessionDuration.blocks, 'time block'),
    Price: price?.amount && priceOf(listing),
    Notes: notes,
  };
}

function pictureCard(id, { thumbnailUrl, url, caption } = {}, open, ...content) {
  const picture = { src: thumbnailUrl ?? url, alt: '', width: 400, height: 400, loading: 'lazy' };
  const opener = h(
    'button',
    { type: 'button', class: 'open', 'aria-haspopup': 'dialog', onclick: open },
    h('img', picture),
    h('span', {}, caption ?? 'Without a title'),
  );
  return h('li', { class: 'picture', 'data-id': id }, opener, ...content);
}

/** Opens a picture with what is known of it. The browser closes it with Escape, and returns the focus. */
function showDetails({ url, caption } = {}, facts) {
  const rows = Object.entries(facts)
    .filter(([, value]) => value)
    .flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]);
  const dialog = h(
    'dialog',
    {
      class: 'details',
      closedBy: 'any',
      'aria-label': caption ?? 'Picture',
      onclose: () => dialog.remove(),
    },
    quiet('Close', () => dialog.close()),
    h('img', { src: url, alt: caption ?? '', width: 400, height: 400 }),
    h('div', {}, h('h2', {}, caption), h('dl', {}, rows)),
  );
  document.querySelector('#view').append(dialog);
  dialog.showModal();
}
