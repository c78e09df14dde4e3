import { pages, type FlashListing } from '@tattoo-marketplace/client';
import { api, attempt, CHANGED, elementsOf, type ViewOptions } from '../api.ts';
import { counted, h, hint, orNothing, ul } from '../dom.ts';
import { notify } from '../notice.ts';
import { moved, orderChanges } from '../order.ts';
import { cardOf, checkbox, isTaken, listingCard, showAvailability, titleOf } from '../pictures.ts';
import { selectionBar } from '../selection.ts';
import { sortable } from '../sortable.ts';

/** How many listings one request can change. */
const LARGEST_REQUEST = 500;

/** The artist's own flash, loaded completely so that it can be reordered. */
export async function ownFlash(id: string, options: ViewOptions): Promise<HTMLElement> {
  const listPages = pages(api.flash.listByArtist, { id, limit: 50 }, options);
  let listings = await elementsOf(listPages, ({ flash }) => flash);
  const saving = h('span', { role: 'status' });

  const save = async (from: number, to: number) => {
    const shown = moved(listings, from, to);
    const changes = orderChanges(shown, to);
    saving.textContent = 'Saving …';
    const isSaved = await attempt(() => store(changes), CHANGED);
    saving.textContent = '';
    if (!isSaved) return false;
    const orders = new Map(changes.map((change) => [change.id, change]));
    listings = shown.map((listing) => ({ ...listing, ...orders.get(listing.id) }));
    notify('The new order is saved.');
    return true;
  };

  const list = ul('pictures', listings.map(ownCard));
  sortable(list, save, options.signal);
  const count = h('span', { class: 'count' }, listings.length);
  const keys = h('span', { class: 'keys' }, ', or move it with Space and the arrow keys');
  return h(
    'section',
    {},
    h('h2', {}, 'My flash ', count),
    hint('Drag a picture by its handle', keys, '. ', saving),
    orNothing(list),
    selectionBar(
      list,
      {
        'Mark as available': marker(list, true),
        'Mark as taken': marker(list, false),
      },
      CHANGED,
    ),
  );
}

function ownCard(listing: FlashListing): HTMLElement {
  const label = `Move: ${titleOf(listing)}`;
  const handle = h('button', { type: 'button', class: 'handle', 'aria-label': label }, '⠿');
  return listingCard(listing, checkbox(listing), handle);
}

async function store(changes: ReturnType<typeof orderChanges>): Promise<void> {
  for (let start = 0; start < changes.length; start += LARGEST_REQUEST) {
    await api.flash.reorder({ flashUpdates: changes.slice(start, start + LARGEST_REQUEST) });
  }
}

/** Marks listings as available or as taken. */
function marker(list: HTMLElement, isAvailable: boolean) {
  const mark = async (flashIds: string[], isAvailable: boolean) => {
    await (isAvailable ? api.flash.markAsAvailable : api.flash.markAsUnavailable)({ flashIds });
    for (const id of flashIds) {
      const card = cardOf(list, id);
      if (card) showAvailability(card, isAvailable);
    }
  };
  return async (flashIds: string[]) => {
    const changed = flashIds.filter((id) => {
      const card = cardOf(list, id);
      return card !== undefined && isTaken(card) === isAvailable;
    });
    await mark(flashIds, isAvailable);
    const undo = async () => {
      if (await attempt(() => mark(changed, !isAvailable), CHANGED)) notify('Undone.');
    };
    const state = isAvailable ? 'available' : 'taken';
    return {
      text: `${counted(flashIds.length, 'listing')} marked as ${state}.`,
      undo: changed.length > 0 ? undo : undefined,
    };
  };
}
