import { isDocumentId } from '../functions/src/documentId.ts';

describe('isDocumentId', () => {
  test.each([
    ['a Firebase uid', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7'],
    ['one character', 'x'],
    ['dots beside others', '..a'],
    ['spaces and signs', 'a b?c#d&e=f%'],
    ['1500 bytes', 'é'.repeat(750)],
    ['a line break', 'a\nb'],
    ['underscores on one side', '__x'],
  ])('takes %s', (_what, id) => {
    expect(isDocumentId(id)).toBe(true);
  });

  test.each([
    ['an empty text', ''],
    ['a dot', '.'],
    ['two dots', '..'],
    ['a slash', 'a/b'],
    ['a path to a subdocument', 'a/private/k'],
    ['what Firestore keeps for itself', '__x__'],
    ['that over several lines', '__a\nb__'],
    ['1501 bytes', `${'é'.repeat(750)}a`],
    ['half of a surrogate pair', 'a\ud800'],
  ])('refuses %s', (_what, id) => {
    expect(isDocumentId(id)).toBe(false);
  });
});
