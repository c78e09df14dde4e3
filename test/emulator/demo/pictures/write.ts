import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../hosting/replaceFile.ts';
import { DEMO_ARTISTS, DEMO_CLIENTS, slug } from '../people.ts';
import { listingTitle, photoMotif } from '../portfolio.ts';
import { threeDigits } from '../document.ts';
import { artistPicture, flashPicture, photoPicture, userPicture } from './picture.ts';

/** Writes the pictures of the demo data into a folder. */
export async function writePictures(folder: string): Promise<void> {
  const pictures = demoPictures();
  const folders = new Set(Object.keys(pictures).map((path) => dirname(path)));
  await Promise.all([...folders].map((path) => mkdir(join(folder, path), { recursive: true })));
  await Promise.all(
    Object.entries(pictures).map(([path, svg]) => replaceFile(join(folder, path), svg)),
  );
}

/** The pictures by path. */
export function demoPictures(): Readonly<Record<string, string>> {
  const pictures: Record<string, string> = {};
  DEMO_ARTISTS.forEach((artist, number) => {
    const name = slug(...artist.name);
    pictures[`users/${name}.svg`] = artistPicture(artist.name.join(' '), artist.motifs[0], number);
    for (let index = 0; index < artist.flash; index++) {
      const picture = flashPicture(listingTitle(artist, index), number, index);
      pictures[`flash/${name}/${threeDigits(index)}.svg`] = picture;
    }
    for (let index = 0; index < artist.gallery; index++) {
      const picture = photoPicture(photoMotif(artist, index), number, index);
      pictures[`gallery/${name}/${threeDigits(index)}.svg`] = picture;
    }
  });
  const others = [...DEMO_CLIENTS, ['Alder Street', 'Tattoo'] as const];
  others.forEach((name, number) => {
    pictures[`users/${slug(...name)}.svg`] = userPicture(name, number);
  });
  return pictures;
}
