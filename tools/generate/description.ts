import { readFileSync } from 'node:fs';
import {
  DOCUMENTS_PER_RATE_LIMIT_UNIT,
  MAX_ID_LIST_BYTES,
  MAX_ID_BYTES,
  MAX_BODY_VALUES,
} from '@tattoo-marketplace/endpoints';
import { MAX_DOCUMENTS_PER_REQUEST } from '../../functions/src/limits.ts';
import * as week from '../../functions/src/availability/weeklySlots.ts';
import { getEndpoint } from '../../functions/service.ts';
import { getDeclaredParameters } from './parameters.ts';

/** Before a number of the code: its name here, or that of its parameter. */
const NUMBER = /<!-- (\w+) -->(?:\d{1,3}(?: \d{3})*)?/g;

/** docs/api.md with the numbers of the code. */
export function insertLimits(text: string): string {
  const numbers = collectLimits();
  return text.replace(NUMBER, (_, name: string) => {
    const number = numbers[name];
    if (number === undefined) throw new Error(`tools/generate/description.ts lacks ${name}.`);
    return `<!-- ${name} -->${number.toLocaleString('en').replaceAll(',', ' ')}`;
  });
}

/** The description of the API: docs/api.md without its comments. */
export function apiDescription(): string {
  const text = insertLimits(readFileSync('docs/api.md', 'utf8'));
  return text.replace(/<!-- .*? -->/g, '').trim();
}

/** By name, the defaults of the parameters and the limits of the service. */
function collectLimits(): Readonly<Record<string, number | undefined>> {
  return {
    ...Object.fromEntries(getDeclaredParameters().map((each) => [each.name, Number(each.default)])),
    ids: MAX_DOCUMENTS_PER_REQUEST,
    listBytes: MAX_ID_LIST_BYTES,
    idBytes: MAX_ID_BYTES,
    bodyValues: MAX_BODY_VALUES,
    weekBytes: week.MAX_WEEK_BYTES,
    weekValues: week.MAX_WEEK_VALUES,
    weekLevels: week.MAX_WEEK_DEPTH,
    listSeconds: getEndpoint('artists-list').endpoint.declaration.deadlineSeconds,
    documentsPerRequest: DOCUMENTS_PER_RATE_LIMIT_UNIT,
  };
}
