import { readFileSync } from 'node:fs';
import {
  DOCUMENTS_PER_RATE_LIMIT_UNIT,
  MAX_ID_LIST_BYTES,
  MAX_ID_BYTES,
  MAX_BODY_VALUES,
} from '@tattoo-marketplace/endpoints';
import { MAX_DOCUMENTS_PER_REQUEST } from '../../functions/src/bulkWrites.ts';
import * as week from '../../functions/src/availability/weeklySlots.ts';
import { getEndpoint } from '../../functions/service.ts';
import { getDeclaredParameters } from './parameters.ts';

/** A marker with the name of a limit or parameter, and the number behind it. */
const LIMIT_MARKER = /<!-- (\w+) -->(?:\d{1,3}(?: \d{3})*)?/g;

/** Updates the numbers behind the markers of docs/api.md. */
export function insertLimits(text: string): string {
  const numbers = collectLimits();
  return text.replace(LIMIT_MARKER, (_, name: string) => {
    const number = numbers[name];
    if (number === undefined)
      throw new Error(`The marker ${name} is unknown: add it to tools/generate/description.ts.`);
    return `<!-- ${name} -->${number.toLocaleString('en').replaceAll(',', ' ')}`;
  });
}

/** Returns the description of the API: docs/api.md without comments. */
export function getApiDescription(): string {
  const text = insertLimits(readFileSync('docs/api.md', 'utf8'));
  return text.replace(/<!-- .*? -->/g, '').trim();
}

/** Collects the defaults of the parameters and the limits of the service, by name. */
function collectLimits(): Readonly<Record<string, number | undefined>> {
  return {
    ...Object.fromEntries(
      getDeclaredParameters().map((parameter) => [parameter.name, Number(parameter.default)]),
    ),
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
