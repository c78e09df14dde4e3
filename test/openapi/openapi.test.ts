import { deployedEndpoints } from '../support/deployMap.ts';
import { EXAMPLES } from './examples.ts';

describe('the OpenAPI document', () => {
  test.each(deployedEndpoints.map(({ functionId, endpoint }) => [functionId, endpoint] as const))(
    'shows an example of %s that its schemas take',
    (functionId, { declaration }) => {
      const example = EXAMPLES[functionId];

      expect(example?.body === undefined).toBe(declaration.body === undefined);
      expect(declaration.body?.parse(example?.body)).toEqual(example?.body);
      expect(declaration.response.parse(example?.reply)).toEqual(example?.reply);
    },
  );

  test('shows no example of an endpoint that is not there', () => {
    const functionIds = deployedEndpoints.map(({ functionId }) => functionId);

    expect(Object.keys(EXAMPLES).sort()).toEqual(functionIds.sort());
  });
});
