import { readFileSync } from 'node:fs';
import { deployedEndpoints, exampleOf } from '../support/deployMap.ts';
import { openApiDocument } from './document.ts';

describe('the OpenAPI document', () => {
  test('is what the declarations say: otherwise npm run openapi writes it anew', () => {
    const published: unknown = JSON.parse(readFileSync('public/openapi.json', 'utf8'));

    expect(openApiDocument()).toEqual(published);
  });

  test.each(deployedEndpoints.map((deployed) => [deployed.functionId, deployed] as const))(
    'has a valid example of %s with all required fields',
    (_functionId, deployed) => {
      const { params, query, body, response } = deployed.endpoint.declaration;
      const example = exampleOf(deployed);

      expect(example.body === undefined).toBe(body === undefined);
      expect(() => params?.parse(example.params)).not.toThrow();
      expect(() => query?.parse(example.query)).not.toThrow();
      expect(body?.parse(example.body)).toEqual(example.body);
      expect(response.parse(example.response)).toMatchObject(example.response as object);
    },
  );
});
