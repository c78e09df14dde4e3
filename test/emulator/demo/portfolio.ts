import { DAY, DEMO_NOW, HOUR, pick, threeDigits, type DemoDocument } from './document.ts';
import { artistId, DEMO_ARTISTS, slug, usernameOf, type DemoArtist } from './people.ts';

/** Variations of a motif, enough that no artist has two listings with the same title. */
const VARIANTS = [
  '',
  ', reworked',
  ' with a full moon',
  ' and stars',
  ' in a wreath',
  ' with a banner',
  ' in flames',
  ' with a candle',
  ' in a horseshoe',
  ' and lightning',
  ' over waves',
] as const;
const PLACEMENTS = ['forearm', 'calf', 'upper arm', 'ribs', 'ankle', 'shoulder', 'thigh'] as const;

/** Flash listings and gallery photos of every artist. `pictures` is the URL of the pictures. */
export function demoPortfolios(pictures: string): DemoDocument[] {
  return DEMO_ARTISTS.flatMap((artist, artistNumber) => {
    // Numbers that no two artists share.
    const firstPost = artistNumber * 1000;
    return [
      ...Array.from({ length: artist.flash }, (_, index) =>
        listing(artist, index, firstPost, pictures),
      ),
      ...Array.from({ length: artist.gallery }, (_, index) =>
        photo(artist, index, firstPost, pictures),
      ),
    ];
  });
}

/** The title of a listing: `Rose with a full moon`. */
export function listingTitle({ motifs }: DemoArtist, index: number): string {
  return pick(motifs, index) + pick(VARIANTS, Math.floor(index / motifs.length));
}

/** The motif of a photo. */
export function photoMotif({ motifs }: DemoArtist, index: number): string {
  return pick(motifs, index * 11);
}

function listing(
  artist: DemoArtist,
  index: number,
  firstPost: number,
  pictures: string,
): DemoDocument {
  const motif = pick(artist.motifs, index);
  const title = listingTitle(artist, index);
  const placement = pick(PLACEMENTS, index * 3);
  const minSize = 2 + (index % 3);
  const maxSize = minSize + 1 + (index % 4);
  // One design a day, the last one ten days ago.
  const createdAt = DEMO_NOW - (artist.flash - index + 9) * DAY + (index % 5) * HOUR;
  const image = `${pictures}/flash/${slug(...artist.name)}/${threeDigits(index)}.svg`;
  return {
    path: `flash/flash-${slug(...artist.name)}-${threeDigits(index)}`,
    data: {
      ...owner(artist),
      source: 'social',
      sourceData: {
        ...post(artist, firstPost + index),
        url: image,
        thumbnailUrl: image,
        caption: pick(
          [
            `${title}, made for the ${placement}. DM to book!`,
            `Fresh off the sheet: ${decapitalized(title)}.`,
            `${title}. Looking for a home.`,
            `New this week: ${decapitalized(title)}. First come, first served.`,
          ],
          index,
        ),
        storageRef: `flash/${artistId(artist)}/${threeDigits(index)}.jpg`,
        urlRefreshedAt: index % 9 === 0 ? new Date(DEMO_NOW) : DEMO_NOW,
      },
      price: { type: 'fixed', amount: String(60 + maxSize * 35 + (index % 2) * 20) },
      size: { unit: 'in', minSize: String(minSize), maxSize: String(maxSize) },
      styles: index % 3 === 0 ? artist.styles : [artist.styles[0]],
      isAvailable: index % 6 !== 4,
      isVisible: index % 11 !== 10,
      // Some clients store a Timestamp; the service reads both.
      createdAt: index % 10 === 3 ? new Date(createdAt) : createdAt,
      updatedAt: createdAt + 5 * DAY,
      // Some neighbours share an order, so that the id decides.
      order: Math.floor(index / 12) * 12 + Math.max(0, (index % 12) - 2),
      sessionDuration: { blocks: Math.ceil(maxSize / 2) },
      viewCount: 40 + ((index * 37) % 460),
      bookmarkCount: (index * 13) % 40,
      tags: [slug(motif), placement, pick(artist.styles, index)],
      notes: pick(
        [
          `Drawn for the ${placement}, happy elsewhere.`,
          'Tattooed once, then it leaves the sheet.',
          'Repeatable, a little different each time.',
          `The details need room: ${maxSize} inches is best.`,
          'One sitting; a touch-up within three months is included.',
        ],
        index,
      ),
    },
  };
}

function photo(
  artist: DemoArtist,
  index: number,
  firstPost: number,
  pictures: string,
): DemoDocument {
  const motif = photoMotif(artist, index);
  const placement = pick(PLACEMENTS, index);
  const state = index % 2 === 0 ? 'fresh' : 'healed';
  const image = `${pictures}/gallery/${slug(...artist.name)}/${threeDigits(index)}.svg`;
  const uploadedAt = DEMO_NOW - (index * 3 + 1) * DAY - ((index * 5) % 9) * HOUR;
  return {
    path: `gallery/photo-${slug(...artist.name)}-${threeDigits(index)}`,
    data: {
      ...owner(artist),
      url: image,
      thumbnailUrl: image,
      source: 'social',
      order: index,
      uploadedAt: index % 8 === 0 ? new Date(uploadedAt) : uploadedAt,
      isVisible: index % 9 !== 8,
      sourceData: {
        ...post(artist, firstPost + 500 + index),
        caption: pick(
          [
            `${motif} on the ${placement}, ${state}. Thank you for your trust!`,
            `${motif}, ${state}.`,
            `Walked in with half an idea, out with this: ${decapitalized(motif)}.`,
          ],
          index,
        ),
        originalFileName: `${slug(motif)}-${index}.jpg`,
        storageRef: `gallery/${artistId(artist)}/${threeDigits(index)}.jpg`,
        originalUrl: image,
        urlRefreshedAt: DEMO_NOW - HOUR,
      },
      tags: [slug(motif), placement, state],
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
    socialId: String(17_900_000_000_000 + number),
    permalink: `https://social.example.com/p/${slug(...artist.name)}-${number}`,
    mediaType: 'IMAGE',
    fileSize: 180_000 + ((number * 7919) % 90_000),
  };
}

/** A title inside a sentence. */
function decapitalized(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}
