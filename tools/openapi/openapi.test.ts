import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { deployedEndpoints, exampleOf } from '../../dev/shared/deployMap.ts';
import { openApiDocument } from './document.ts';
import { withRewrites } from './rewrites.ts';

/** A value of the document, and all objects in it: the schemas among them. */
function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Readonly<Record<string, unknown>>, ...Object.values(value).flatMap(objectsIn)];
}

describe('the OpenAPI document', () => {
  test('is what the declarations say: otherwise npm run openapi writes it anew', () => {
    const published: unknown = JSON.parse(readFileSync('public/openapi.json', 'utf8'));

    expect(openApiDocument()).toEqual(published);
  });

  test('has the rewrites of Hosting: otherwise npm run openapi writes firebase.json anew', () => {
    const file = readFileSync('firebase.json', 'utf8');

    expect(withRewrites(file)).toEqual(JSON.parse(file));
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

  // What the linter (redocly.yaml) does not see.
  test('names the items of each array, and has only defaults that their schemas allow', () => {
    const ajv = new Ajv2020({ strict: false, formats: { int64: true } });
    const schemas = objectsIn(openApiDocument());

    expect(schemas.filter(({ type, items }) => type === 'array' && items === undefined)).toEqual(
      [],
    );
    expect(
      schemas.filter((schema) => 'default' in schema && !ajv.validate(schema, schema.default)),
    ).toEqual([]);
  });
});
