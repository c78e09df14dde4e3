import { nameOf, verifiedArtists } from '../api.js';
import { counted, h } from '../dom.js';

/** All verified artists, with a filter by style. */
export async function explore() {
  const artists = await verifiedArtists();
  const styles = [...new Set(artists.flatMap(({ artistInfo }) => artistInfo?.tattooStyles ?? []))];
  const list = h('ul', { class: 'artists', role: 'list' });
  const count = h('p', { class: 'hint', role: 'status' });
  const showStyle = (style) => {
    const shown = artists.filter(
      ({ artistInfo }) => style === '' || artistInfo?.tattooStyles?.includes(style),
    );
    count.textContent = counted(shown.length, 'artist');
    list.replaceChildren(...shown.map(card));
  };
  showStyle('');
  return [
    h(
      'div',
      { class: 'heading' },
      h('h1', {}, 'Find your artist'),
      count,
      h(
        'label',
        { class: 'inline' },
        'Style',
        h(
          'select',
          { onchange: ({ target }) => showStyle(target.value) },
          h('option', { value: '' }, 'All styles'),
          styles.sort().map((style) => h('option', {}, style)),
        ),
      ),
    ),
    list,
  ];
}

function card(artist) {
  const { id, photoURL, artistInfo: { bio, tattooStyles = [], workLocations = [] } = {} } = artist;
  return h(
    'li',
    { class: 'artist' },
    h('img', { src: photoURL, alt: '', width: 400, height: 400, loading: 'lazy' }),
    h('h2', {}, h('a', { href: `#/artists/${encodeURIComponent(id)}` }, nameOf(artist))),
    h('p', { class: 'place' }, workLocations.map(({ city }) => city).join(', ')),
    h('p', {}, bio),
    h(
      'p',
      { class: 'tags' },
      tattooStyles.map((style) => h('span', {}, style)),
    ),
  );
}
