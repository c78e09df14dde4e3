import type { User } from '@tattoo-marketplace/client';
import { nameOf, verifiedArtists } from '../api.ts';
import { counted, h, ul, type Child } from '../dom.ts';

/** All verified artists, with a filter by style. */
export async function explore(): Promise<Child[]> {
  const artists = await verifiedArtists();
  const styles = [...new Set(artists.flatMap(({ artistInfo }) => artistInfo.tattooStyles ?? []))];
  const list = ul('artists', []);
  const count = h('p', { class: 'hint', role: 'status' });
  const showStyle = (style: string) => {
    const shown = artists.filter(
      ({ artistInfo }) => style === '' || artistInfo.tattooStyles?.includes(style),
    );
    count.textContent = counted(shown.length, 'artist');
    list.replaceChildren(...shown.map(card));
  };
  showStyle('');
  const select = h(
    'select',
    {
      onchange: () => {
        showStyle(select.value);
      },
    },
    h('option', { value: '' }, 'All styles'),
    styles.sort().map((style) => h('option', {}, style)),
  );
  const filter = h('label', { class: 'inline' }, 'Style', select);
  return [h('div', { class: 'heading' }, h('h1', {}, 'Find your artist'), count, filter), list];
}

function card(artist: User): HTMLElement {
  const { id, photoURL, artistInfo } = artist;
  const { bio, tattooStyles = [], workLocations = [] } = artistInfo;
  const link = h('a', { href: `#/artists/${encodeURIComponent(id)}` }, nameOf(artist));
  const tags = tattooStyles.map((style) => h('span', {}, style));
  return h(
    'li',
    { class: 'artist' },
    h('img', { src: photoURL, alt: '', width: 400, height: 400, loading: 'lazy' }),
    h('h2', {}, link),
    h('p', { class: 'place' }, workLocations.map(({ city }) => city).join(', ')),
    h('p', {}, bio),
    h('p', { class: 'tags' }, tags),
  );
}
