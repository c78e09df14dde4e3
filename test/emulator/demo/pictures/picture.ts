/** The pictures of the demo, drawn in code so that it needs no external images. */
import { drawingOf } from './drawings.ts';
import { around, circle, group, leaf, mirrored, path, star, times } from './shapes.ts';

/** The colours of a picture. */
interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly colour: string;
  readonly second: string;
}

/** The palettes of the artists, used in turn. */
const PALETTES: readonly [Palette, ...Palette[]] = [
  { paper: '#f6eedf', ink: '#22201d', colour: '#b23a2e', second: '#e9d3a6' },
  { paper: '#f7f5ef', ink: '#2f3a33', colour: '#8fa58c', second: '#f7f5ef' },
  { paper: '#efece6', ink: '#262422', colour: '#a9a29a', second: '#fbfaf7' },
  { paper: '#f3ece4', ink: '#1d2633', colour: '#33658a', second: '#e8b9a0' },
  { paper: '#f4f1e8', ink: '#33302b', colour: '#c9b48a', second: '#f4f1e8' },
  { paper: '#eceae7', ink: '#232323', colour: '#76716c', second: '#d8d4cf' },
  { paper: '#fbf1ea', ink: '#2b2230', colour: '#d9655b', second: '#f2c46d' },
  { paper: '#f5f3ee', ink: '#26323b', colour: '#5f7f86', second: '#f5f3ee' },
];

/** The skin tones behind a tattooed design. */
const SKINS = ['#e8c4a6', '#c99873', '#8d5a3c', '#f0d3bd', '#5f3b28', '#d9ac87'] as const;

function paletteOf(artistNumber: number): Palette {
  return PALETTES[artistNumber % PALETTES.length] ?? PALETTES[0];
}

function styles({ ink, colour, second }: Palette): string {
  return `<style>
path,circle{stroke:${ink};stroke-width:4;stroke-linecap:round;stroke-linejoin:round}
.line{fill:none}.colour{fill:${colour}}.second{fill:${second}}.ink{fill:${ink}}.stripe{fill:none;stroke:${colour}}
.letter{font:700 190px 'Old English Text MT','UnifrakturMaguntia',Georgia,serif;fill:${ink}}
</style>`;
}

function svg(label: string, ...content: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" role="img"><title>${label}</title>${content.join('')}</svg>\n`;
}

/** A design on a sheet of paper. */
export function flashPicture(title: string, artistNumber: number, index: number): string {
  const palette = paletteOf(artistNumber);
  return svg(
    title,
    styles(palette),
    `<rect width="400" height="400" fill="${palette.paper}"/>`,
    group('translate(200 200)', accompaniment(title)),
    group(
      'translate(200 200)',
      drawingOf(title.split(/,| (and|with|in|over) /)[0] ?? title, index),
    ),
    `<text x="384" y="386" text-anchor="end" font-family="Georgia,serif" font-size="15" fill="${palette.ink}" opacity=".55">No. ${index + 1}</text>`,
  );
}

/** A design on skin, as a photo would show it. */
export function photoPicture(motif: string, artistNumber: number, index: number): string {
  const skin = SKINS[(artistNumber + index) % SKINS.length] ?? SKINS[0];
  const tilt = ((index * 23) % 40) - 20;
  const isDark = index % SKINS.length === 2;
  return svg(
    motif,
    styles({ ...paletteOf(artistNumber), ...(isDark && { second: skin }) }),
    `<defs><linearGradient id="s"><stop offset="0" stop-color="#000" stop-opacity=".34"/><stop offset=".3" stop-color="#fff" stop-opacity=".12"/><stop offset=".62" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".4"/></linearGradient></defs>`,
    `<rect width="400" height="400" fill="${index % 2 === 0 ? '#3a3f44' : '#d9d4cc'}"/>`,
    group(
      `translate(200 200) rotate(${tilt})`,
      `<path style="stroke:none" fill="${skin}" d="M-150 -330C-120 -120 -128 90 -138 330H138C150 110 126 -90 146 -330Z"/>`,
      `<path style="stroke:none" fill="url(#s)" d="M-150 -330C-120 -120 -128 90 -138 330H138C150 110 126 -90 146 -330Z"/>`,
      `<g opacity=".86" transform="scale(.74)">${drawingOf(motif, index)}</g>`,
    ),
  );
}

/** The avatar of an artist: their first motif. */
export function artistPicture(name: string, motif: string, artistNumber: number): string {
  const palette = paletteOf(artistNumber);
  return svg(
    name,
    styles(palette),
    `<rect width="400" height="400" fill="${palette.paper}"/>`,
    group('translate(200 200) scale(.68)', drawingOf(motif, artistNumber)),
  );
}

/** The avatar of any other user: their initials. */
export function userPicture(name: readonly [string, string], number: number): string {
  const palette = paletteOf(number);
  const initials = name.map((word) => word.charAt(0)).join('');
  return svg(
    name.join(' '),
    styles(palette),
    `<rect width="400" height="400" fill="${palette.paper}"/>`,
    `<g opacity=".5" transform="translate(200 200) scale(1.15)">${around(12, () => group('translate(0 -112)', leaf(50, 20, 'colour')))}</g>`,
    `<text x="200" y="252" text-anchor="middle" font-family="Georgia,serif" font-size="150" fill="${palette.ink}">${initials}</text>`,
  );
}

/** The drawings for the additions of a title: "with a full moon", "and stars". */
const ACCOMPANIMENTS: readonly (readonly [string, () => string])[] = [
  ['full moon', () => circle(70, -84, 84, 'second')],
  ['stars', () => scattered((n) => star(5, 15 + (n % 3) * 4, 6, 'colour'))],
  [
    'wreath',
    () =>
      around(22, (n) =>
        group('translate(0 -160) rotate(62)', leaf(46, 13, n % 2 === 0 ? 'colour' : 'second')),
      ),
  ],
  [
    'banner',
    () => path('M-180 150C-60 112 60 186 180 142V176C60 214 -60 148 -180 184L-164 166Z', 'second'),
  ],
  [
    'flames',
    () =>
      times(7, (n) =>
        group(
          `translate(${-150 + n * 50} 184) scale(${1 + (n % 2) * 0.5})`,
          leaf(74, 26, n % 2 === 0 ? 'colour' : 'second'),
        ),
      ),
  ],
  [
    'candle',
    () =>
      mirrored(
        path('M142 176V58H172V176Z', 'second'),
        path('M157 58V46M157 46C140 30 158 22 157 6C174 22 174 36 157 46Z', 'colour'),
      ),
  ],
  [
    'horseshoe',
    () =>
      `<path class="stripe" style="stroke-width:26" d="M-118 168C-226 -40 -120 -176 0 -176C120 -176 226 -40 118 168"/>`,
  ],
  ['lightning', () => mirrored(path('M168 -160L124 -70H150L128 2L188 -90H160Z', 'colour'))],
  [
    'waves',
    () =>
      times(4, (n) =>
        group(
          `translate(${(n % 2) * 18 - 8} ${128 + n * 17}) scale(1.3 1)`,
          path('M-140 0Q-122 -18 -105 0T-70 0T-35 0T0 0T35 0T70 0T105 0T140 0', 'line'),
        ),
      ),
  ],
];

function accompaniment(title: string): string {
  return ACCOMPANIMENTS.find(([words]) => title.includes(words))?.[1]() ?? '';
}

function scattered(piece: (index: number) => string): string {
  const places = [
    [-160, -150],
    [150, -160],
    [-165, 30],
    [168, 20],
    [-130, 160],
    [146, 150],
    [0, -178],
  ] as const;
  return times(places.length, (n) => group(`translate(${places[n]?.join(' ') ?? '0'})`, piece(n)));
}
