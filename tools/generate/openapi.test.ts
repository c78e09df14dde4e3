import { readFileSync } from 'node:fs';
import { openApiDocument } from './document.ts';
import { withRewrites } from './rewrites.ts';

describe('the OpenAPI document', () => {
  test('is what the declarations say: otherwise npm run generate writes it anew', () => {
    const published: unknown = JSON.parse(readFileSync('public/openapi.json', 'utf8'));

    expect(openApiDocument()).toEqual(published);
  });

  test('has the rewrites of Hosting: otherwise npm run generate writes firebase.json anew', () => {
    const file = readFileSync('firebase.json', 'utf8');

    expect(withRewrites(file)).toEqual(JSON.parse(file));
  });
});
