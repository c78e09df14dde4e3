/** The people of the demo and their characteristics. */

import { DAY, DEMO_NOW } from './document.ts';

/** An artist of the demo. */
export interface DemoArtist {
  readonly name: readonly [first: string, last: string];
  readonly city: DemoCity;
  readonly styles: readonly [string, ...string[]];
  /** The subjects of the artist's drawings. */
  readonly motifs: readonly [string, ...string[]];
  readonly pronouns: string;
  readonly bio: string;
  readonly isVerified: boolean;
  /** The numbers of stored flash listings and gallery photos, including hidden ones. */
  readonly flash: number;
  readonly gallery: number;
}

/** A place of the demo. */
export interface DemoCity {
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
}

const PORTLAND: DemoCity = {
  address: '214 SE Alder Street',
  city: 'Portland',
  state: 'OR',
  country: 'USA',
  latitude: 45.5181,
  longitude: -122.6634,
};
const AUSTIN: DemoCity = {
  address: '1809 South Congress Avenue',
  city: 'Austin',
  state: 'TX',
  country: 'USA',
  latitude: 30.2466,
  longitude: -97.7512,
};
const BROOKLYN: DemoCity = {
  address: '77 Bedford Avenue',
  city: 'Brooklyn',
  state: 'NY',
  country: 'USA',
  latitude: 40.7215,
  longitude: -73.9556,
};
const MONTREAL: DemoCity = {
  address: '5160 boulevard Saint-Laurent',
  city: 'Montréal',
  state: 'QC',
  country: 'Canada',
  latitude: 45.5244,
  longitude: -73.5953,
};
const CHICAGO: DemoCity = {
  address: '1542 North Milwaukee Avenue',
  city: 'Chicago',
  state: 'IL',
  country: 'USA',
  latitude: 41.9103,
  longitude: -87.6722,
};
const OAKLAND: DemoCity = {
  address: '4920 Telegraph Avenue',
  city: 'Oakland',
  state: 'CA',
  country: 'USA',
  latitude: 37.8359,
  longitude: -122.2622,
};
const NEW_ORLEANS: DemoCity = {
  address: '3027 Magazine Street',
  city: 'New Orleans',
  state: 'LA',
  country: 'USA',
  latitude: 29.9228,
  longitude: -90.0867,
};
const TORONTO: DemoCity = {
  address: '910 Queen Street West',
  city: 'Toronto',
  state: 'ON',
  country: 'Canada',
  latitude: 43.6461,
  longitude: -79.4117,
};

export const CITIES = [
  PORTLAND,
  AUSTIN,
  BROOKLYN,
  MONTREAL,
  CHICAGO,
  OAKLAND,
  NEW_ORLEANS,
  TORONTO,
] as const;

/**
 * Thirteen verified artists and three unverified ones; the first has more flash than fits on two pages of maximum size.
 */
export const DEMO_ARTISTS: readonly DemoArtist[] = [
  {
    name: ['Mara', 'Voss'],
    city: PORTLAND,
    styles: ['traditional', 'blackwork'],
    motifs: [
      'Swallow',
      'Dagger',
      'Panther head',
      'Rose',
      'Snake',
      'Moth',
      'Skull',
      'Spider web',
      'Hand of fate',
      'Lighthouse',
      'Black cat',
      'Sacred heart',
    ],
    pronouns: 'She/Her',
    bio: 'Bold lines, whip shading, no shortcuts. Walk-ins on Fridays.',
    isVerified: true,
    flash: 132,
    gallery: 64,
  },
  {
    name: ['Theo', 'Okafor'],
    city: BROOKLYN,
    styles: ['fine line', 'botanical'],
    motifs: [
      'Fern frond',
      'Poppy seed head',
      'Sprig of lavender',
      'Wild carrot',
      'Stag beetle',
      'Olive branch',
      'Sweet pea',
      'Ginkgo leaf',
    ],
    pronouns: 'He/Him',
    bio: 'Pressed flowers, seed heads and the odd beetle, in a single needle.',
    isVerified: true,
    flash: 18,
    gallery: 24,
  },
  {
    name: ['Inés', 'Calderón'],
    city: AUSTIN,
    styles: ['chicano', 'lettering'],
    motifs: [
      'Script name',
      'Praying hands',
      'Rosary',
      'Lowrider rose',
      'Payasa',
      'Virgencita',
      'Old English initial',
    ],
    pronouns: 'She/Her',
    bio: 'Script, roses and saints in soft black and grey. Hablo español.',
    isVerified: true,
    flash: 14,
    gallery: 20,
  },
  {
    name: ['Jun', 'Takahashi'],
    city: OAKLAND,
    styles: ['irezumi', 'japanese'],
    motifs: [
      'Koi',
      'Hannya mask',
      'Fox mask',
      'Chrysanthemum',
      'Daruma',
      'Crane',
      'Foo dog',
      'Maple leaves',
    ],
    pronouns: 'They/Them',
    bio: 'Sleeves and back pieces by consultation; the flash is for one sitting.',
    isVerified: true,
    flash: 20,
    gallery: 36,
  },
  {
    name: ['Wren', 'Halloran'],
    city: MONTREAL,
    styles: ['illustrative', 'etching'],
    motifs: [
      'Raven skull',
      'Wren on a twig',
      'Hare',
      'Barn owl',
      'Pocket watch',
      'Anatomical heart',
    ],
    pronouns: 'Other',
    bio: 'Birds, bones and other quiet things, after old engravings.',
    isVerified: true,
    flash: 12,
    gallery: 15,
  },
  {
    name: ['Dmitri', 'Sokolov'],
    city: BROOKLYN,
    styles: ['realism', 'black and grey'],
    motifs: ['Lion portrait', 'Weeping statue', 'Wolf', 'Antique clock', 'Raven', 'Marble hand'],
    pronouns: 'He/Him',
    bio: 'Portraits from your photographs. Long sessions, good coffee.',
    isVerified: true,
    flash: 8,
    gallery: 28,
  },
  {
    name: ['Aaliyah', 'Brooks'],
    city: CHICAGO,
    styles: ['neo traditional', 'colour'],
    motifs: [
      'Lady with hoops',
      'Jaguar',
      'Peony',
      'Peach',
      'Honey bee',
      'Crystal ball',
      'Parrot',
      'Magnolia',
    ],
    pronouns: 'She/Her',
    bio: 'Colour that stays colour, on every skin tone.',
    isVerified: true,
    flash: 16,
    gallery: 22,
  },
  {
    name: ['Noor', 'Rahimi'],
    city: MONTREAL,
    styles: ['geometric', 'dotwork'],
    motifs: ['Eight-fold star', 'Mandala', 'Tessellated band', 'Seed of life', 'Sun disc'],
    pronouns: 'She/Her',
    bio: 'Patterns by hand, dot by dot. No two are the same.',
    isVerified: true,
    flash: 10,
    gallery: 18,
  },
  {
    name: ['Callum', 'Reid'],
    city: PORTLAND,
    styles: ['traditional', 'maritime'],
    motifs: [
      'Anchor',
      'Full-rigged ship',
      'Mermaid',
      'Compass rose',
      'Octopus',
      'Hula girl',
      'Sinking lighthouse',
      'Nautical star',
    ],
    pronouns: 'He/Him',
    bio: 'Ships, anchors, swallows. My grandfather would approve.',
    isVerified: true,
    flash: 15,
    gallery: 12,
  },
  {
    name: ['Sunniva', 'Lund'],
    city: NEW_ORLEANS,
    styles: ['ornamental', 'blackwork'],
    motifs: ['Sternum ornament', 'Lace cuff', 'Filigree throat', 'Spine ladder', 'Knee mandala'],
    pronouns: 'They/Them',
    bio: 'Large ornamental work that follows the body. Start with a chat, not with a picture.',
    isVerified: true,
    flash: 6,
    gallery: 20,
  },
  {
    name: ['Rafael', 'Moreira'],
    city: AUSTIN,
    styles: ['surrealism', 'colour'],
    motifs: [
      'Melting moon',
      'Door in the sea',
      'Bird-headed suitor',
      'Cloud in a jar',
      'Staircase eye',
    ],
    pronouns: 'He/Him',
    bio: 'Dreams, mostly other people’s.',
    isVerified: true,
    flash: 9,
    gallery: 16,
  },
  {
    name: ['Hana', 'Kovář'],
    city: TORONTO,
    styles: ['folk', 'handpoke'],
    motifs: [
      'Embroidered heart',
      'Rooster',
      'Tulip pair',
      'Sun with a face',
      'Painted egg',
      'Linden sprig',
    ],
    pronouns: 'She/Her',
    bio: 'Handpoked folk motifs, one dot at a time. Slow and quiet.',
    isVerified: true,
    flash: 11,
    gallery: 14,
  },
  {
    name: ['Eli', 'Marsh'],
    city: PORTLAND,
    styles: ['minimalism', 'fine line'],
    motifs: ['Paper plane', 'Mountain line', 'Tiny wave', 'Matchstick', 'Single line face'],
    pronouns: "Don't Specify",
    bio: 'Just moved here. Custom pieces only for now; the first flash sheet is on the drawing table.',
    isVerified: true,
    flash: 0,
    gallery: 6,
  },
  {
    name: ['Petra', 'Novak'],
    city: CHICAGO,
    styles: ['trash polka'],
    motifs: ['Torn poster', 'Megaphone', 'Crow and type', 'Broken metronome', 'Red thread'],
    pronouns: 'She/Her',
    bio: 'Red, black and loud. Collage first, stencil second.',
    isVerified: false,
    flash: 7,
    gallery: 8,
  },
  {
    name: ['Owen', 'Castellane'],
    city: NEW_ORLEANS,
    styles: ['new school'],
    motifs: [
      'Crawfish chef',
      'Angry toaster',
      'Gator on a scooter',
      'Trombone cat',
      'King cake baby',
    ],
    pronouns: 'He/Him',
    bio: 'Cartoons for grown-ups: big eyes, bigger outlines.',
    isVerified: false,
    flash: 5,
    gallery: 5,
  },
  {
    name: ['Lucía', 'Ferrante'],
    city: TORONTO,
    styles: ['watercolour'],
    motifs: ['Hummingbird', 'Jellyfish', 'Fox in the rain', 'Iris'],
    pronouns: 'They/Them',
    bio: 'Washes without outlines; apprentice in the second year.',
    isVerified: false,
    flash: 4,
    gallery: 3,
  },
];

/** The clients of the demo. */
export const DEMO_CLIENTS: readonly (readonly [first: string, last: string])[] = [
  ['Robin', 'Adeyemi'],
  ['Sasha', 'Whitfield'],
  ['Mateo', 'Lindqvist'],
  ['Priya', 'Raman'],
  ['Jonas', 'Keller'],
  ['Bea', 'Thornton'],
];

/** A name for use in ids and URLs: `ines-calderon`. */
export function slug(...words: readonly string[]): string {
  return words
    .join(' ')
    .normalize('NFD')
    .replace(/[^\w\s-]/g, '')
    .toLowerCase()
    .replace(/\s+/g, '-');
}

/** The user name of an artist: `mara.voss`. */
export function usernameOf({ name: [first, last] }: DemoArtist): string {
  return `${slug(first)}.${slug(last)}`;
}

/** The id of an artist's user document and account: `artist-mara-voss`. */
export function artistId({ name }: DemoArtist): string {
  return `artist-${slug(...name)}`;
}

/** The id of a client's user document and account: `client-robin-adeyemi`. */
export function clientId(name: readonly [string, string]): string {
  return `client-${slug(...name)}`;
}

/** The id of the studio's user document and account. */
export const STUDIO_ID = 'studio-alder-street-tattoo';

/** When the artist with this index joined, in ms, UTC; none of their documents is older. */
export function joinedAt(index: number): number {
  return DEMO_NOW - (400 - 20 * index) * DAY;
}
