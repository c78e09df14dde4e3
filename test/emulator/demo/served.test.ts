import { demoDocuments, PICTURES } from './documents.ts';
import { demoPictures } from './pictures/write.ts';
import { localFile } from './served.ts';

describe('the demo files of a local stack', () => {
  test('have exactly the pictures of the demo data', () => {
    const text = JSON.stringify(demoDocuments());
    const addresses = new Set(text.match(new RegExp(`${PICTURES}/[^"]+`, 'g')));
    const paths = [...addresses].map((address) => address.slice(PICTURES.length + 1));

    expect(paths.sort()).toEqual(Object.keys(demoPictures()).sort());
  });

  test('have pictures that are well-formed, small and self-contained', () => {
    for (const [path, svg] of Object.entries(demoPictures())) {
      const opened = svg.match(/<(?!\/)[a-zA-Z]+[^>]*(?<!\/)>/g)?.length;
      const closed = svg.match(/<\/[a-zA-Z]+>/g)?.length;
      expect([path, opened]).toEqual([path, closed]);
      expect([path, svg.length < 20_000]).toEqual([path, true]);
      expect(svg).not.toMatch(/NaN|undefined|href|url\((?!#)|<script/);
    }
  });

  test('have the accounts to sign in with, with their conversations and schedules', () => {
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
