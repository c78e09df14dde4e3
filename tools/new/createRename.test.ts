import { createRename } from './createRename.ts';

test.each([
  { plural: 'waitlists', text: 'reviews/createReview.ts', renamed: 'waitlists/createWaitlist.ts' },
  { plural: 'galleries', text: 'listReviews(reviewId)', renamed: 'listGalleries(galleryId)' },
])('renames $text for $plural', ({ plural, text, renamed }) => {
  expect(createRename(plural)(text)).toBe(renamed);
});

test.each(['', 'Waitlists', 'wait-lists', '../things', 'waitlist'])(
  'rejects the name "%s"',
  (plural) => {
    expect(() => createRename(plural)).toThrow('npm run new -- waitlists');
  },
);

test.each(['news', 'packages', 'this'])('rejects the name "%s", a reserved word', (plural) => {
  expect(() => createRename(plural)).toThrow('is a reserved word. Choose another name.');
});
