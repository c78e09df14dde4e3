import { Timestamp } from 'firebase-admin/firestore';
import { DAY, DEMO_NOW, HOUR, pick, threeDigits, type DemoDocument } from './document.ts';
import { artistId, DEMO_ARTISTS, slug, usernameOf, type DemoArtist } from './people.ts';

const MOTIFS = [
  'Swallow',
  'Dagger and rose',
  'Moth',
  'Panther head',
  'Sailing ship',
  'Peony',
  'Snake around a candle',
  'Crescent moon',
  'Koi',
  'Skeleton key',
  'Oak branch',
  'Fox mask',
] as const;
const PLACEMENTS = ['forearm', 'calf', 'upper arm', 'ribs', 'ankle'] as const;

/** Flash listings and gallery photos of every artist. */
export function demoPortfolios(): DemoDocument[] {
  return DEMO_ARTISTS.flatMap((artist) => [
    ...Array.from({ length: artist.flash }, (_, index) => listing(artist, index)),
    ...Array.from({ length: artist.gallery }, (_, index) => photo(artist, index)),
  ]);
}

function listing(artist: DemoArtist, index: number): DemoDocument {
  const motif = pick(MOTIFS, index * 7 + artist.flash);
  const placement = pick(PLACEMENTS, index);
  const createdAt = DEMO_NOW - (180 - index) * DAY;
  const image = `https://images.example.com/flash/${slug(...artist.name)}/${threeDigits(index)}`;
  return {
    path: `flash/flash-${slug(...artist.name)}-${threeDigits(index)}`,
    data: {
      ...owner(artist),
      source: 'social',
      sourceData: {
        ...post(artist, index),
        url: `${image}.jpg`,
        thumbnailUrl: `${image}-small.jpg`,
        caption: `${motif}, made for a ${placement}. DM to book!`,
        storageRef: `flash/${artistId(artist)}/${threeDigits(index)}.jpg`,
        urlRefreshedAt: index % 9 === 0 ? Timestamp.fromMillis(DEMO_NOW) : DEMO_NOW,
      },
      price: { type: 'fixed', amount: String(120 + (index % 10) * 35) },
      size: { unit: 'in', minSize: String(2 + (index % 3)), maxSize: String(4 + (index % 4)) },
      styles: artist.styles,
      isAvailable: index % 6 !== 4,
      isVisible: index % 11 !== 10,
      createdAt: index % 10 === 3 ? Timestamp.fromMillis(createdAt) : createdAt,
      updatedAt: createdAt + 5 * DAY,
      // Neighbours share a place now and then: the id decides between them.
      order: Math.floor(index / 12) * 12 + Math.max(0, (index % 12) - 2),
      sessionDuration: { blocks: 1 + (index % 4) },
      viewCount: (index * 37) % 500,
      bookmarkCount: (index * 13) % 60,
      tags: [slug(motif), placement],
      notes: `${motif}. Fits a ${placement}; can be made in colour.`,
    },
  };
}

function photo(artist: DemoArtist, index: number): DemoDocument {
  const motif = pick(MOTIFS, index * 5 + artist.gallery);
  const image = `https://images.example.com/gallery/${slug(...artist.name)}/${threeDigits(index)}`;
  const uploadedAt = DEMO_NOW - index * 3 * DAY;
  return {
    path: `gallery/photo-${slug(...artist.name)}-${threeDigits(index)}`,
    data: {
      ...owner(artist),
      url: `${image}.jpg`,
      thumbnailUrl: `${image}-small.jpg`,
      source: 'social',
      order: index,
      uploadedAt: index % 8 === 0 ? Timestamp.fromMillis(uploadedAt) : uploadedAt,
      isVisible: index % 9 !== 8,
      sourceData: {
        ...post(artist, 500 + index),
        caption: `${motif}, ${index % 2 === 0 ? 'fresh' : 'healed'}.`,
        originalFileName: `${slug(motif)}-${index}.jpg`,
        storageRef: `gallery/${artistId(artist)}/${threeDigits(index)}.jpg`,
        originalUrl: `${image}-original.jpg`,
        urlRefreshedAt: DEMO_NOW - HOUR,
      },
      tags: [slug(motif), index % 2 === 0 ? 'fresh' : 'healed'],
    },
  };
}

function owner(artist: DemoArtist) {
  return {
    artistId: artistId(artist),
    artistName: artist.name.join(' '),
    artistUsername: usernameOf(artist),
  };
}

function post(artist: DemoArtist, number: number) {
  return {
    socialId: String(17_900_000_000_000 + artist.flash * 1000 + number),
    permalink: `https://social.example.com/p/${slug(...artist.name)}-${number}`,
    mediaType: 'IMAGE',
    fileSize: 180_000 + ((number * 7919) % 90_000),
  };
}
