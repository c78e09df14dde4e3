import type { FlashListing, GalleryPhoto } from '@tattoo-marketplace/client';
import { counted, h, one, quiet, type Child } from './dom.ts';

/** What is shown of a picture. */
interface Picture {
  readonly url?: string;
  readonly thumbnailUrl?: string;
  readonly caption?: string;
}

/** The card of a flash listing. */
export function listingCard(listing: FlashListing, ...tools: readonly Child[]): HTMLElement {
  const { id, sourceData, price, isAvailable } = listing;
  const size = sizeOf(listing);
  const facts = h(
    'p',
    { class: 'facts' },
    price?.amount && h('strong', {}, `$${price.amount}`),
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
export function photoCard(photo: GalleryPhoto, ...tools: readonly Child[]): HTMLElement {
  const { id, sourceData, url, thumbnailUrl, artistName, tags } = photo;
  const picture = {
    ...sourceData,
    ...(url !== undefined && { url }),
    ...(thumbnailUrl !== undefined && { thumbnailUrl }),
  };
  const open = () => {
    showDetails(picture, { Artist: artistName, Tags: tags?.join(', ') });
  };
  return pictureCard(id, picture, open, ...tools);
}

export function showAvailability(card: HTMLElement, isAvailable = false): void {
  card.classList.toggle('is-taken', !isAvailable);
  one('.availability', card).textContent = isAvailable ? '' : 'Taken';
}

export function isTaken(card: HTMLElement): boolean {
  return card.classList.contains('is-taken');
}

/** The element of a list with this `data-id`. */
export function cardOf(list: HTMLElement, id: string): HTMLElement | undefined {
  return cardsOf(list).find((card) => card.dataset.id === id);
}

export const cardsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-id]')];

/** What a listing or photo is called in the labels of its controls. */
export const titleOf = ({ id, sourceData }: FlashListing | GalleryPhoto) =>
  sourceData?.caption ?? id;

export function checkbox(element: FlashListing | GalleryPhoto): HTMLElement {
  return h('input', { type: 'checkbox', 'aria-label': `Select: ${titleOf(element)}` });
}

/** `2 to 3 in`, or what is known of it. */
function sizeOf({ size = {} }: FlashListing): string {
  const range = [size.minSize, size.maxSize].filter(Boolean).join(' to ');
  return range && [range, size.unit].filter(Boolean).join(' ');
}

function listingFacts(listing: FlashListing) {
  const { artistName, styles, price, sessionDuration, notes } = listing;
  return {
    Artist: artistName,
    Styles: styles?.join(', '),
    Size: sizeOf(listing),
    Duration: sessionDuration?.blocks && counted(sessionDuration.blocks, 'time block'),
    Price: price?.amount && `$${price.amount}`,
    Notes: notes,
  };
}

function pictureCard(
  id: string,
  { thumbnailUrl, url, caption }: Picture = {},
  open: () => void,
  ...content: readonly Child[]
): HTMLElement {
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
function showDetails({ url, caption }: Picture = {}, facts: Readonly<Record<string, Child>>): void {
  const rows = Object.entries(facts)
    .filter(([, value]) => value)
    .flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]);
  const dialog = h(
    'dialog',
    {
      class: 'details',
      closedBy: 'any',
      'aria-label': caption ?? 'Picture',
      onclose: () => {
        dialog.remove();
      },
    },
    quiet('Close', () => {
      dialog.close();
    }),
    h('img', { src: url, alt: caption ?? '', width: 400, height: 400 }),
    h('div', {}, h('h2', {}, caption), h('dl', {}, rows)),
  );
  one('#view').append(dialog);
  dialog.showModal();
}
