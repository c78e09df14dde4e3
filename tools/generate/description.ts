import { readFileSync } from 'node:fs';
import { DOCUMENTS_PER_REQUEST } from '../../functions/src/parameters.ts';
import * as week from '../../functions/src/availability/storableJson.ts';
import { MAX_ID_BYTES, MAX_NAMED } from '../../functions/src/ids.ts';
import { MAX_VALUES } from '../../functions/src/http/requestBody.ts';
import { deployedEndpoint } from '../../functions/declared/deployMap.ts';
import { declaredParameters } from './parameters.ts';

/** The description of the API, with the numbers of the code. */
export function apiDescription(): string {
  const numbers = { ...defaults(), ...limits() };
  return readFileSync('tools/generate/description.md', 'utf8')
    .trim()
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const number = numbers[name];
      if (number === undefined) throw new Error(`tools/generate/description.ts lacks ${name}.`);
      return number.toLocaleString('en').replaceAll(',', ' ');
    });
}

type Numbers = Readonly<Record<string, number | undefined>>;

function defaults(): Numbers {
  const parameters = declaredParameters();
  return Object.fromEntries(parameters.map((each) => [each.name, Number(each.default)]));
}

function limits(): Numbers {
  return {
    ids: MAX_NAMED,
    idBytes: MAX_ID_BYTES,
    bodyValues: MAX_VALUES,
    weekBytes: week.MAX_BYTES,
    weekValues: week.MAX_VALUES,
    weekLevels: week.MAX_DEPTH,
    listSeconds: deployedEndpoint('artists-list').endpoint.declaration.deadlineSeconds,
    documentsPerRequest: DOCUMENTS_PER_REQUEST,
  };
}
