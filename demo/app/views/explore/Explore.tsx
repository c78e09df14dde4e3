import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '@tattoo-marketplace/client';
import { formatName, pluralize } from '../../format.ts';
import { queries } from '../../session.ts';

/** All verified artists, with a filter by style. */
export function Explore() {
  const { data: artists } = useSuspenseQuery(queries.artists.list());
  const [style, setStyle] = useState('');
  const styles = new Set(artists.flatMap(({ artistInfo }) => artistInfo.tattooStyles ?? []));
  const options = [...styles].sort().map((name) => <option key={name}>{name}</option>);
  const cards = artists
    .filter(({ artistInfo }) => !style || artistInfo.tattooStyles?.includes(style))
    .map((artist) => <ArtistCard key={artist.id} {...artist} />);
  return (
    <>
      <div className="row heading">
        <h1>Find your artist</h1>
        <p className="hint" role="status" children={pluralize(cards.length, 'artist')} />
        <label>
          Style
          <select value={style} onChange={(event) => setStyle(event.target.value)}>
            <option value="">All styles</option>
            {options}
          </select>
        </label>
      </div>
      <ul role="list" className="artists">
        {cards}
      </ul>
    </>
  );
}

function ArtistCard(artist: User) {
  const { id, photoURL, artistInfo } = artist;
  const { bio, tattooStyles = [], workLocations = [] } = artistInfo;
  const tags = tattooStyles.map((style) => <span key={style}>{style}</span>);
  return (
    <li className="artist">
      <img loading="lazy" src={photoURL} alt="" width={400} height={400} />
      <h2>
        <a href={`#/artists/${encodeURIComponent(id)}`}>{formatName(artist)}</a>
      </h2>
      <p className="place">{workLocations.map(({ city }) => city).join(', ')}</p>
      <p>{bio}</p>
      <p className="row tags">{tags}</p>
    </li>
  );
}
