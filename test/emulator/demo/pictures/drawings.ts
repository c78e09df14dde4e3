/**
 * The motifs of the demo's artists as drawings. Many motifs share a drawing; the first one with matching words is used.
 */
import { around, circle, group, leaf, mirrored, path, star, times } from './shapes.ts';

/** Draws a motif; a different number per picture allows for variations. */
type Drawing = (number: number, motif: string) => string;

/** The words of motifs, and their drawing. */
const DRAWINGS: readonly (readonly [RegExp, Drawing])[] = [
  [/swallow|wren|hummingbird|crane|rooster|parrot|raven$|crow|suitor/i, swallow],
  [/dagger|spine|torn|thread|matchstick/i, dagger],
  [/snake|gator/i, snake],
  [/moth|bee|beetle/i, moth],
  [/fox/i, cat],
  [/skull|mask|payasa|baby|statue/i, skull],
  [/web/i, web],
  [/hand/i, hand],
  [/lighthouse/i, lighthouse],
  [/cat|panther|jaguar|wolf|lion|dog|hare|owl|toaster/i, cat],
  [/anchor/i, anchor],
  [/ship|scooter/i, ship],
  [/koi|octopus|mermaid|jellyfish|crawfish|tiny wave/i, koi],
  [/compass|star|eight/i, compass],
  [/heart|rosary|virgencita/i, heart],
  [/clock|watch|metronome|megaphone/i, clock],
  [/eye|crystal|face|portrait|lady|hula/i, eye],
  [/moon|cloud|door|sun with|daruma|egg/i, moon],
  [/mountain|plane|line/i, mountains],
  [/script|initial|poster/i, letter],
  [/mandala|ornament|lace|filigree|seed of life|sun disc|band/i, mandala],
  [/fern|lavender|branch|carrot|pea$|sprig|poppy|leaves|leaf/i, branch],
  [/./, flower],
];

/** The drawing of a motif. */
export function drawingOf(motif: string, number: number): string {
  const [, draw] = DRAWINGS.find(([words]) => words.test(motif)) ?? [/./, flower];
  return draw(number, motif);
}

function swallow(number: number): string {
  return group(
    `rotate(${number % 2 === 0 ? -12 : 14})`,
    path(
      'M-8 -20C-40 -95 -105 -120 -158 -108C-120 -88 -104 -52 -70 -18C-52 2 -30 14 -8 22Z',
      'colour',
    ),
    path('M10 -22C32 -92 84 -128 142 -128C112 -100 108 -58 78 -22C60 0 36 12 14 20Z', 'colour'),
    path(
      'M-126 -98C-100 -78 -84 -48 -58 -26M-96 -102C-76 -80 -62 -56 -40 -36M112 -114C96 -86 88 -56 66 -32M84 -104C72 -82 62 -58 44 -38',
    ),
    path(
      'M-34 -62C-20 -84 20 -84 34 -60C46 -30 40 30 12 78L52 148L4 108L-44 148L-14 78C-42 30 -46 -32 -34 -62Z',
      'second',
    ),
    path('M-30 -66C-26 -98 26 -98 30 -66C12 -50 -12 -50 -30 -66Z', 'ink'),
    path('M-7 -91L0 -112L7 -91Z', 'colour'),
    path('M-16 -10Q0 2 16 -10M-16 12Q0 24 16 12M-12 34Q0 46 12 34'),
  );
}

function dagger(): string {
  return (
    path('M-18 -40L-12 110L0 154L12 110L18 -40Z', 'second') +
    path('M0 -36V140') +
    mirrored(
      path('M0 -58C30 -64 60 -50 84 -66C80 -36 40 -28 0 -36Z', 'colour'),
      circle(84, -62, 9, 'ink'),
    ) +
    path('M-14 -62V-122H14V-62Z', 'ink') +
    circle(0, -138, 17, 'colour') +
    group('translate(0 34) rotate(-18)', leaf(74, 20, 'colour')) +
    group('translate(4 66) rotate(32)', leaf(60, 17, 'colour'))
  );
}

function snake(): string {
  const body = 'M-96 96C-20 150 92 130 84 70C78 22 -74 42 -76 -22C-78 -80 60 -58 52 -116';
  return (
    `<path class="line" style="stroke-width:44" d="${body}"/>` +
    `<path class="stripe" style="stroke-width:32" d="${body}"/>` +
    `<path class="line" style="stroke-dasharray:3 17;stroke-width:12" d="${body}"/>` +
    path('M26 -108C24 -150 82 -156 84 -116C84 -96 72 -86 56 -84C40 -84 28 -92 26 -108Z', 'colour') +
    circle(44, -122, 5, 'ink') +
    circle(68, -120, 5, 'ink') +
    path('M60 -86L62 -66L52 -54M62 -66L74 -58') +
    path('M-90 90C-116 84 -134 66 -142 44C-124 56 -104 56 -84 80Z', 'ink')
  );
}

function moth(): string {
  return (
    mirrored(
      path('M10 -34C50 -110 120 -120 150 -92C152 -40 100 -4 12 0Z', 'colour'),
      path('M10 4C66 10 104 44 98 92C60 108 24 70 8 34Z', 'second'),
      circle(98, -66, 17, 'ink'),
      circle(98, -66, 7, 'second'),
      circle(62, 58, 11, 'ink'),
      path(
        'M24 -28C58 -70 92 -92 132 -94M22 -14C60 -24 96 -40 124 -58M4 -56C14 -84 28 -98 46 -104',
      ),
    ) + path('M-12 -48C-16 -20 -14 60 0 96C14 60 16 -20 12 -48C8 -64 -8 -64 -12 -48Z', 'ink')
  );
}

function skull(): string {
  return (
    path(
      'M-96 -30C-96 -150 96 -150 96 -30C96 2 84 22 62 34L58 84H-58L-62 34C-84 22 -96 2 -96 -30Z',
      'second',
    ) +
    mirrored(
      path('M20 -20C24 -52 72 -54 74 -18C74 12 26 14 20 -20Z', 'ink'),
      path('M14 84V58M36 84V60M80 -62C76 -84 62 -98 46 -104'),
      path('M58 62C74 60 84 44 80 30'),
    ) +
    path('M0 14L-13 40H13Z', 'ink') +
    path('M-52 92C-50 124 50 124 52 92Z', 'second') +
    path('M0 92V114M-24 92V112M24 92V112') +
    group('translate(0 -92)', flowerHead(5, 26))
  );
}

function web(number: number): string {
  const spokes = 8 + (number % 3) * 2;
  const half = Math.PI / spokes;
  return (
    around(spokes, () => path('M0 0V-146')) +
    times(5, (ring) => {
      const r = 26 + ring * 27;
      const [x, y] = [r * Math.sin(half * 2), -r * Math.cos(half * 2)].map((n) => Math.round(n));
      return around(spokes, () =>
        path(
          `M0 ${-r}Q${Math.round(r * 0.76 * Math.sin(half))} ${Math.round(-r * 0.76 * Math.cos(half))} ${x} ${y}`,
        ),
      );
    }) +
    group(
      'translate(38 46)',
      mirrored(path('M6 -4L34 -22L44 -4M6 2L36 2L46 18M6 8L30 24L34 42')),
      circle(0, 0, 11, 'ink'),
      circle(0, 20, 16, 'ink'),
      path('M-5 16L5 24M5 16L-5 24', 'colour'),
    )
  );
}

function hand(): string {
  return (
    path(
      'M-62 52C-104 30 -124 -14 -104 -32C-86 -44 -74 -16 -58 -4V-104C-58 -126 -26 -126 -26 -104V-34V-130C-26 -154 10 -154 10 -130V-34V-112C10 -134 42 -134 42 -112V-20V-76C42 -96 72 -96 72 -76V30C72 84 44 112 40 150H-40C-40 112 -62 92 -62 52Z',
      'second',
    ) +
    group('translate(4 46) scale(.42)', eye()) +
    path('M-40 124H40M-26 -96H-58M10 -118H-26M42 -100H10M72 -66H42')
  );
}

function lighthouse(): string {
  return (
    path('M-170 -112L-28 -92V-74L-170 -48ZM170 -112L28 -92V-74L170 -48Z', 'colour') +
    path('M-30 -60H30L46 96H-46Z', 'second') +
    path('M-34 -22L34 -22L38 16H-38ZM-41 52H41L46 96H-46Z', 'colour') +
    path('M-42 -60H42V-70H-42ZM-24 -70V-102H24V-70ZM0 -134L-34 -102H34Z', 'ink') +
    path('M-8 96V74C-8 62 8 62 8 74V96Z', 'ink') +
    times(3, (row) => group(`translate(0 ${112 + row * 17})`, waves()))
  );
}

function waves(): string {
  return path('M-140 0Q-122 -18 -105 0T-70 0T-35 0T0 0T35 0T70 0T105 0T140 0');
}

function cat(_number: number, motif: string): string {
  const ears = /hare/i.test(motif)
    ? 'M30 -66C24 -150 44 -172 60 -160C80 -138 72 -92 66 -50Z'
    : 'M28 -76L86 -134L96 -36Z';
  return (
    mirrored(path(ears, 'colour')) +
    path(
      'M0 -86C72 -92 116 -44 108 10C102 60 54 104 0 112C-54 104 -102 60 -108 10C-116 -44 -72 -92 0 -86Z',
      'ink',
    ) +
    mirrored(
      path('M22 -8C34 -36 72 -40 84 -22C76 2 46 10 22 -8Z', 'colour'),
      path('M52 -30C46 -18 46 -8 52 2C58 -8 58 -18 52 -30Z', 'ink'),
      path('M6 50C22 70 46 66 56 46', 'line'),
      path('M44 44L132 30M44 54L132 58M42 64L120 84'),
    ) +
    path('M-44 42C-30 22 30 22 44 42C40 76 -40 76 -44 42Z', 'second') +
    path('M-15 30H15L0 48Z', 'colour') +
    path('M0 48V60M-22 62Q-10 72 0 60Q10 72 22 62')
  );
}

function anchor(): string {
  return (
    path(
      'M-11 -86H11V96C46 92 78 70 86 34L62 42L100 -8L134 40L108 36C98 98 50 134 0 148C-50 134 -98 98 -108 36L-134 40L-100 -8L-62 42L-86 34C-78 70 -46 92 -11 96Z',
      'second',
    ) +
    path('M-60 -64H60V-44H-60Z', 'ink') +
    `<circle class="line" style="stroke-width:13" cx="0" cy="-112" r="24"/>` +
    path('M-26 -96C-70 -50 62 -10 -10 44C-52 76 30 100 44 132', 'line') +
    group('translate(0 14) scale(.8)', flowerHead(6, 40))
  );
}

function ship(): string {
  return (
    path('M-120 58H120C108 94 84 110 60 112H-64C-92 108 -112 90 -120 58Z', 'ink') +
    path('M-62 58V-124M8 58V-146M74 58V-104') +
    times(3, (mast) => {
      const [x, top] = (
        [
          [-62, -112],
          [8, -134],
          [74, -94],
        ] as const
      )[mast] ?? [0, 0];
      return times(2, (sail) => {
        const y = top + sail * 66;
        const half = 26 + sail * 7;
        return path(
          `M${x - half} ${y}C${x - half + 12} ${y + 20} ${x - half + 12} ${y + 38} ${x - half} ${y + 56}H${x + half}C${x + half + 16} ${y + 38} ${x + half + 16} ${y + 20} ${x + half} ${y}Z`,
          sail === 0 ? 'second' : 'colour',
        );
      });
    }) +
    path('M120 58L164 20M-62 -124L-36 -132L-62 -140M8 -146L34 -154L8 -162', 'colour') +
    group('translate(0 122)', waves()) +
    group('translate(14 140)', waves())
  );
}

function koi(number: number): string {
  return group(
    number % 2 === 0 ? 'rotate(-20)' : 'rotate(20) scale(-1 1)',
    path(
      'M-150 0C-116 -86 24 -86 88 -8C112 -40 132 -56 162 -62C146 -24 146 20 162 60C132 50 110 34 88 8C24 84 -116 84 -150 0Z',
      'second',
    ),
    path(
      'M-92 -50C-62 -66 -22 -68 6 -58C-6 -24 -58 -16 -92 -50ZM-12 46C14 20 52 14 72 12C50 36 18 52 -12 46Z',
      'colour',
    ),
    path(
      'M-40 -64C-30 -104 24 -106 40 -78C32 -62 20 -54 2 -58ZM-60 62C-56 92 -24 108 2 96C0 78 -16 62 -34 62Z',
      'colour',
    ),
    path('M-106 -40Q-84 0 -106 42', 'line'),
    times(4, (row) => path(`M${-66 + row * 34} -28q14 14 0 28q14 14 0 28`)),
    circle(-124, -10, 6, 'ink'),
    path('M-148 6Q-168 10 -170 26M-146 12Q-158 24 -152 38M108 -26L150 -46M108 24L150 44M110 0H142'),
  );
}

function compass(number: number, motif: string): string {
  const points = /eight/i.test(motif) ? 8 : 4 + (number % 2) * 4;
  return (
    circle(0, 0, 118) +
    circle(0, 0, 108) +
    around(32, () => path('M0 -108V-118')) +
    star(points, 92, 30, 'second') +
    around(points, () => path('M0 0V-140L22 -24Z', 'ink') + path('M0 0V-140L-22 -24Z', 'colour')) +
    circle(0, 0, 14, 'second')
  );
}

function heart(): string {
  return (
    around(16, (index) =>
      group('translate(0 -96)', path(index % 2 === 0 ? 'M0 -10V-56' : 'M0 -10V-36')),
    ) +
    path(
      'M-22 -84C-46 -126 -10 -128 -14 -160C12 -142 10 -124 22 -140C40 -112 26 -96 22 -84Z',
      'colour',
    ) +
    path(
      'M0 -56C-30 -106 -112 -84 -98 -12C-88 36 -32 70 0 112C32 70 88 36 98 -12C112 -84 30 -106 0 -56Z',
      'colour',
    ) +
    path(
      'M-92 6C-50 22 -20 -16 14 4C44 22 70 2 92 -4L88 20C62 32 40 40 12 26C-20 10 -46 44 -84 28Z',
      'second',
    ) +
    times(5, (thorn) => path(`M${-70 + thorn * 34} ${6 + (thorn % 2) * 8}l5 -15l5 15`)) +
    path('M-70 -42C-66 -58 -52 -66 -38 -62', 'line')
  );
}

function clock(number: number): string {
  return (
    circle(0, 12, 112, 'ink') +
    circle(0, 12, 96, 'second') +
    group(
      'translate(0 12)',
      around(12, (hour) => path(hour % 3 === 0 ? 'M0 -88V-68' : 'M0 -86V-76')),
      group(`rotate(${(number * 37) % 360})`, path('M-5 8L0 -62L5 8Z', 'ink')),
      group(`rotate(${(number * 91) % 360})`, path('M-7 8L0 -42L7 8Z', 'colour')),
      circle(0, 0, 8, 'ink'),
    ) +
    path('M-15 -100H15V-124H-15Z', 'colour') +
    `<circle class="line" style="stroke-width:9" cx="0" cy="-142" r="19"/>` +
    group('translate(-94 92) rotate(-40)', leaf(64, 22, 'colour')) +
    group('translate(94 92) rotate(40)', leaf(64, 22, 'colour')) +
    group('translate(0 118)', flowerHead(6, 32))
  );
}

function eye(): string {
  return (
    around(20, (ray) => path(ray % 2 === 0 ? 'M0 -112V-150' : 'M0 -112V-132')) +
    path('M-140 0C-84 -88 84 -88 140 0C84 88 -84 88 -140 0Z', 'second') +
    circle(0, 0, 54, 'colour') +
    around(16, () => path('M0 -28V-50')) +
    circle(0, 0, 25, 'ink') +
    circle(9, -9, 7, 'second')
  );
}

function moon(number: number): string {
  return (
    around(24, (ray) =>
      ray % 2 === 0 ? path('M-7 -116L0 -150L7 -116Z', 'colour') : path('M0 -116V-136'),
    ) +
    circle(0, 0, 106, 'second') +
    path(
      'M30 -101C-50 -92 -86 -34 -80 12C-74 66 -22 104 40 98C-10 78 -22 44 -10 24C8 18 22 12 24 2L4 -12C-6 -40 0 -82 30 -101Z',
      'colour',
    ) +
    circle(-32, -14, 5, 'ink') +
    path('M-24 40Q-12 46 -4 38') +
    group('translate(56 -4)', star(5, 20, 8, 'ink')) +
    group(`translate(64 ${34 + (number % 3) * 8})`, star(5, 11, 4, 'ink')) +
    group('translate(46 -46)', star(5, 13, 5, 'ink'))
  );
}

function mountains(number: number): string {
  return (
    circle(46, -70, 34, 'colour') +
    path('M-150 70L-62 -64L-30 -16L16 -92L86 14L110 -14L154 70Z', 'second') +
    path('M-84 -30L-62 -44L-50 -22L-38 -28M-8 -52L10 -64L22 -46L40 -58') +
    times(2 + (number % 3), (row) => group(`translate(0 ${92 + row * 20})`, waves()))
  );
}

function letter(number: number, motif: string): string {
  const initial = /script/i.test(motif)
    ? 'AMORE'.charAt(number % 5)
    : String.fromCharCode(65 + (number % 26));
  return (
    mirrored(
      path(
        'M60 96C110 96 146 70 138 34C132 10 98 14 102 40C106 58 128 54 126 40M60 -96C110 -96 146 -70 138 -34C132 -10 98 -14 102 -40C106 -58 128 -54 126 -40',
      ),
    ) +
    `<text class="letter" y="64" text-anchor="middle">${initial}</text>` +
    mirrored(
      group('translate(0 118) rotate(62)', leaf(56, 15, 'colour')),
      group('translate(0 -118) rotate(118)', leaf(56, 15, 'colour')),
    ) +
    group('translate(0 118)', flowerHead(5, 20)) +
    group('translate(0 -118)', flowerHead(5, 20))
  );
}

function mandala(number: number): string {
  const petals = 8 + (number % 3) * 2;
  return (
    around(petals * 2, () => group('translate(0 -120)', circle(0, -14, 4, 'ink'))) +
    around(petals, () =>
      group('translate(0 -62)', leaf(68, 32, 'second'), leaf(46, 15, 'colour')),
    ) +
    circle(0, 0, 72, 'second') +
    around(petals, () => group('translate(0 -30)', leaf(42, 19, 'colour')), 180 / petals) +
    around(petals * 2, () => circle(0, -64, 3.5, 'ink')) +
    circle(0, 0, 31, 'ink') +
    star(petals, 27, 13, 'second') +
    circle(0, 0, 7, 'colour')
  );
}

function branch(number: number, motif: string): string {
  const isFeathery = /fern|lavender|carrot/i.test(motif);
  const pairs = isFeathery ? 9 : 5;
  return group(
    `rotate(${number % 2 === 0 ? 10 : -10})`,
    path('M0 150C-14 60 14 -30 0 -112'),
    times(pairs, (index) => {
      const height = 96 - (index * 200) / pairs;
      const size = (isFeathery ? 74 : 88) * (1 - index / (pairs * 1.7));
      return group(
        `translate(0 ${Math.round(height)})`,
        mirrored(
          group(
            `rotate(${isFeathery ? 62 : 52})`,
            leaf(size, size * (isFeathery ? 0.16 : 0.34), index % 2 === 0 ? 'colour' : 'second'),
            path(`M0 0V${Math.round(-size * 0.8)}`),
          ),
        ),
      );
    }),
    group('translate(0 -108)', leaf(46, 15, 'colour')),
  );
}

function flower(number: number): string {
  return (
    group('translate(0 36) rotate(128)', leaf(126, 36, 'second'), path('M0 0V-104')) +
    group('translate(0 36) rotate(-128)', leaf(126, 36, 'second'), path('M0 0V-104')) +
    group('translate(0 36) rotate(180)', leaf(104, 26, 'second'), path('M0 0V-84')) +
    group('translate(0 -18)', flowerHead(7 + (number % 3), 112))
  );
}

/** Petals in four rings, each turned a little, the inner ones smaller. */
function flowerHead(petals: number, radius: number): string {
  return (
    times(4, (ring) => {
      const size = radius * (1 - ring * 0.22);
      return around(
        petals - ring,
        () => leaf(size, size * 0.44, ring % 2 === 0 ? 'colour' : 'second'),
        ring * 23,
      );
    }) + circle(0, 0, radius * 0.12, 'ink')
  );
}
