import { verifiedArtists } from '../api.js';
import { h } from '../dom.js';

/** All verified artists, with a filter by style. */
export async function explore(options) {
  const artists = await verifiedArtists(options);
  const styles = [...new Set(artists.flatMap(({ artistInfo }) => artistInfo?.tattooStyles ?? []))];
  const list = h('ul', { class: 'artists', role: 'list' });
  const showStyle = (style) => {
    const shown = artists.filter(
      ({ artistInfo }) => style === '' || artistInfo?.tattooStyles?.includes(style),
    );
    list.replaceChildren(...shown.map(card));
  };
  showStyle('');
  return [
    h(
      'div',
      { class: 'heading' },
      h('h1', {}, 'Find your artist'),
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

function card({ id, displayName, photoURL, artistInfo = {} }) {
  const { bio, tattooStyles = [], workLocations = [] } = artistInfo;
  return h(
    'li',
    { class: 'artist' },
    h('img', { src: photoURL, alt: '', width: 400, height: 400, loading: 'lazy' }),
    h('h2', {}, h('a', { href: `#/artists/${encodeURIComponent(id)}` }, displayName)),
    h('p', { class: 'place' }, workLocations.map(({ city }) => city).join(', ')),
    h('p', {}, bio),
    h(
      'p',
      { class: 'tags' },
      tattooStyles.map((style) => h('span', {}, style)),
    ),
  );
}
