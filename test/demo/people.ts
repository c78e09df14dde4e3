/** The people of the demo: who they are, and what stands out about them. */

/** An artist of the demo. */
export interface DemoArtist {
  readonly name: readonly [first: string, last: string];
  readonly city: DemoCity;
  readonly styles: readonly string[];
  readonly pronouns: string;
  readonly bio: string;
  readonly isVerified: boolean;
  /** How many flash listings and gallery photos are stored, hidden ones among them. */
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

export const CITIES = [PORTLAND, AUSTIN, BROOKLYN, MONTREAL] as const;

function artist(
  name: DemoArtist['name'],
  city: DemoCity,
  styles: readonly string[],
  pronouns: string,
  bio: string,
  counts: { flash: number; gallery: number; isVerified?: boolean },
): DemoArtist {
  return { name, city, styles, pronouns, bio, isVerified: true, ...counts };
}

/** Thirteen verified artists and three who are not yet; the first has more flash than fits on two large pages. */
export const DEMO_ARTISTS: readonly DemoArtist[] = [
  artist(
    ['Mara', 'Voss'],
    PORTLAND,
    ['traditional', 'blackwork'],
    'She/Her',
    'Bold lines, whip shading, no shortcuts. Walk-ins on Fridays.',
    { flash: 132, gallery: 64 },
  ),
  artist(
    ['Theo', 'Okafor'],
    BROOKLYN,
    ['fine line', 'botanical'],
    'He/Him',
    'Small plants for people with small plants.',
    { flash: 18, gallery: 24 },
  ),
  artist(
    ['Inés', 'Calderón'],
    AUSTIN,
    ['chicano', 'lettering'],
    'She/Her',
    'Script and roses. Hablo español.',
    { flash: 14, gallery: 20 },
  ),
  artist(
    ['Jun', 'Takahashi'],
    PORTLAND,
    ['irezumi', 'japanese'],
    'They/Them',
    'Sleeves and back pieces by consultation; the flash is for one sitting.',
    { flash: 20, gallery: 36 },
  ),
  artist(
    ['Wren', 'Halloran'],
    MONTREAL,
    ['illustrative', 'etching'],
    'Other',
    'Birds, bones and other quiet things.',
    { flash: 12, gallery: 15 },
  ),
  artist(
    ['Dmitri', 'Sokolov'],
    BROOKLYN,
    ['realism', 'black and grey'],
    'He/Him',
    'Portraits from your photographs. Long sessions, good coffee.',
    { flash: 8, gallery: 28 },
  ),
  artist(
    ['Aaliyah', 'Brooks'],
    AUSTIN,
    ['neo traditional', 'colour'],
    'She/Her',
    'Colour that stays colour, on every skin tone.',
    { flash: 16, gallery: 22 },
  ),
  artist(
    ['Noor', 'Rahimi'],
    MONTREAL,
    ['geometric', 'dotwork'],
    'She/Her',
    'Patterns by hand, dot by dot.',
    { flash: 10, gallery: 18 },
  ),
  artist(
    ['Callum', 'Reid'],
    PORTLAND,
    ['traditional', 'maritime'],
    'He/Him',
    'Ships, anchors, swallows. My grandfather would approve.',
    { flash: 15, gallery: 12 },
  ),
  artist(
    ['Sunniva', 'Lund'],
    BROOKLYN,
    ['ornamental', 'blackwork'],
    'They/Them',
    'Large ornamental work that follows the body.',
    { flash: 6, gallery: 20 },
  ),
  artist(
    ['Rafael', 'Moreira'],
    AUSTIN,
    ['surrealism', 'colour'],
    'He/Him',
    'Dreams, mostly other people’s.',
    { flash: 9, gallery: 16 },
  ),
  artist(
    ['Hana', 'Kovář'],
    MONTREAL,
    ['folk', 'handpoke'],
    'She/Her',
    'Handpoked folk motifs. Slow and quiet.',
    { flash: 11, gallery: 14 },
  ),
  artist(
    ['Eli', 'Marsh'],
    PORTLAND,
    ['minimalism', 'fine line'],
    "Don't Specify",
    'New here: the flash is coming soon.',
    { flash: 0, gallery: 6 },
  ),
  artist(['Petra', 'Novak'], BROOKLYN, ['trash polka'], 'She/Her', 'Waiting to be verified.', {
    flash: 7,
    gallery: 8,
    isVerified: false,
  }),
  artist(['Owen', 'Castellane'], AUSTIN, ['new school'], 'He/Him', 'Waiting to be verified.', {
    flash: 5,
    gallery: 5,
    isVerified: false,
  }),
  artist(['Lucía', 'Ferrante'], MONTREAL, ['watercolour'], 'They/Them', 'Waiting to be verified.', {
    flash: 4,
    gallery: 3,
    isVerified: false,
  }),
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

/** A name as it stands in ids and addresses: `ines-calderon`. */
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
