/** The elements of the drawings, as SVG text. The centre of a drawing is 0, 0, and it is about 300 wide. */

/** How an element is drawn: only its outline, or filled with the artist's first colour, the second one, or ink. */
export type Fill = 'line' | 'colour' | 'second' | 'ink';

export function path(d: string, fill: Fill = 'line'): string {
  return `<path class="${fill}" d="${d}"/>`;
}

export function circle(x: number, y: number, r: number, fill: Fill = 'line'): string {
  return `<circle class="${fill}" cx="${round(x)}" cy="${round(y)}" r="${round(r)}"/>`;
}

export function group(transform: string, ...pieces: readonly string[]): string {
  return `<g transform="${transform}">${pieces.join('')}</g>`;
}

/** An element and its mirror image. */
export function mirrored(...pieces: readonly string[]): string {
  return pieces.join('') + group('scale(-1 1)', ...pieces);
}

/** Copies of an element, rotated around the centre. */
export function around(count: number, piece: (index: number) => string, turn = 0): string {
  return times(count, (index) =>
    group(`rotate(${round((index * 360) / count + turn)})`, piece(index)),
  );
}

export function times(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join('');
}

/** A leaf or petal that grows upwards from 0, 0. */
export function leaf(length: number, width: number, fill: Fill = 'line'): string {
  const [l, w] = [round(length), round(width)];
  return path(
    `M0 0C${w} ${-l * 0.3} ${w} ${round(-l * 0.75)} 0 ${-l}C${-w} ${round(-l * 0.75)} ${-w} ${-l * 0.3} 0 0Z`,
    fill,
  );
}

/** A star with a number of points. */
export function star(points: number, outer: number, inner: number, fill: Fill = 'line'): string {
  const corners = Array.from({ length: points * 2 }, (_, index) => {
    const radius = index % 2 === 0 ? outer : inner;
    const angle = (index * Math.PI) / points - Math.PI / 2;
    return `${round(radius * Math.cos(angle))} ${round(radius * Math.sin(angle))}`;
  });
  return path(`M${corners.join('L')}Z`, fill);
}

/** A number rounded for SVG. */
export function round(number: number): number {
  return Math.round(number * 10) / 10;
}
