import { demoDocuments, PICTURES } from './documents.ts';
import { demoPictures } from './pictures/write.ts';
import { localFile } from './served.ts';

describe('what a local stack serves of the demo', () => {
  test('is a picture for each address of one in the demo data, and no other', () => {
    const text = JSON.stringify(demoDocuments());
    const addresses = new Set(text.match(new RegExp(`${PICTURES}/[^"]+`, 'g')));
    const paths = [...addresses].map((address) => address.slice(PICTURES.length + 1));

    expect(paths.sort()).toEqual(Object.keys(demoPictures()).sort());
  });

  test('is pictures that are well-formed, small, and ask nobody for anything', () => {
    for (const [path, svg] of Object.entries(demoPictures())) {
      const opened = svg.match(/<(?!\/)[a-zA-Z]+[^>]*(?<!\/)>/g)?.length;
      const closed = svg.match(/<\/[a-zA-Z]+>/g)?.length;
      expect([path, opened]).toEqual([path, closed]);
      expect([path, svg.length < 20_000]).toEqual([path, true]);
      expect(svg).not.toMatch(/NaN|undefined|href|url\((?!#)|<script/);
    }
  });

  test('is the accounts to sign in with, each with its conversations, artists with their schedule', () => {
    const { accounts, names } = localFile();
    const mara = accounts.find(({ uid }) => uid === 'artist-mara-voss');

    expect(mara).toMatchObject({
      email: 'mara.voss@example.com',
      schedule: { availabilityId: 'availability-mara-voss' },
    });
    expect(mara?.conversations).toContainEqual({
      id: 'conversation-mara-robin',
      title: 'Robin Adeyemi',
    });
    expect(names).toHaveProperty('client-robin-adeyemi', 'Robin Adeyemi');
  });
});
