import { setTimeout as delay } from 'node:timers/promises';
import type { Fields } from '@tattoo-marketplace/firestore-rest';
import { UserError } from '../checks/commandLine.ts';
import { credentials, WITHIN_MS } from '../checks/googleApi.ts';

/** Documents may have 1 MiB each. */
const PAGE_SIZE = 300;
const ATTEMPTS = 5;

/** A document, or the fields of it that were read. */
export interface Document {
  readonly name: string;
  readonly fields?: Fields;
}

/** A Firestore database that is only read. */
export interface ReadOnlyDatabase {
  /** The number of documents of a collection. Costs a read per 1000. */
  count(collection: string): Promise<number>;
  /** Up to `limit` documents of a collection by path, in pages; with these top-level fields only. */
  pages(
    collection: string,
    fields: readonly string[],
    limit: number,
  ): AsyncGenerator<readonly Document[]>;
}

/** Opens a database: on the emulator that `FIRESTORE_EMULATOR_HOST` names, or with the Application Default Credentials. */
export function openDatabase(project: string, database = '(default)'): ReadOnlyDatabase {
  const root = `projects/${project}/databases/${database}/documents`;
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  const headers = emulator
    ? () => ({ Authorization: 'Bearer owner' })
    : credentials(project, 'datastore');
  const origin = emulator ? `http://${emulator}` : 'https://firestore.googleapis.com';

  async function attempt(method: string, body: string): Promise<Response> {
    return fetch(`${origin}/v1/${root}:${method}`, {
      method: 'POST',
      headers: {
        ...(await headers()),
        'Content-Type': 'application/json',
        'x-goog-request-params': `project_id=${project}&database_id=${database}`,
      },
      body,
      signal: AbortSignal.timeout(WITHIN_MS),
    });
  }

  async function call(method: string, request: object): Promise<unknown> {
    const body = JSON.stringify(request);
    for (let attempts = 1; ; attempts += 1) {
      const isLast = attempts === ATTEMPTS;
      try {
        const response = await attempt(method, body);
        const text = await response.text();
        if (response.ok) return JSON.parse(text);
        if (isLast || !(response.status === 429 || response.status >= 500)) {
          throw new Refused(`Firestore returned ${response.status}: ${text}`);
        }
      } catch (error) {
        if (isLast || error instanceof Refused || error instanceof UserError) throw error;
      }
      await delay(1000 * attempts);
    }
  }

  function queryOf(collection: string) {
    const collectionId = collection.slice(collection.lastIndexOf('/') + 1);
    return { from: [{ collectionId, allDescendants: collection.includes('/') }] };
  }

  async function find(query: object): Promise<readonly Document[]> {
    const found = (await call('runQuery', { structuredQuery: query })) as readonly {
      readonly document?: Document;
      readonly error?: object;
    }[];
    // An error may come after some documents.
    const error = found.find((element) => element.error)?.error;
    if (error) throw new Refused(`Firestore returned ${JSON.stringify(error)}`);
    return found.flatMap(({ document }) => (document ? [document] : []));
  }

  return {
    async count(collection) {
      const structuredAggregationQuery = {
        structuredQuery: queryOf(collection),
        aggregations: [{ alias: 'count', count: {} }],
      };
      const [counted] = (await call('runAggregationQuery', { structuredAggregationQuery })) as [
        { result: { aggregateFields: { count: { integerValue: string } } } },
      ];
      return Number(counted.result.aggregateFields.count.integerValue);
    },
    async *pages(collection, fields, limit) {
      const query = {
        ...queryOf(collection),
        select: { fields: fields.map((fieldPath) => ({ fieldPath })) },
        orderBy: [{ field: { fieldPath: '__name__' }, direction: 'ASCENDING' }],
      };
      let left = limit;
      const read = (startAt?: object) =>
        find({ ...query, ...startAt, limit: Math.min(PAGE_SIZE, left) });
      let next: Promise<readonly Document[]> | undefined = read();
      while (next !== undefined) {
        const page: readonly Document[] = await next;
        left -= page.length;
        const last = page.length === PAGE_SIZE && left > 0 ? page.at(-1) : undefined;
        // The next page loads while this one is checked.
        next = last && read({ startAt: { values: [{ referenceValue: last.name }] } });
        next?.catch(() => undefined);
        yield page;
      }
    },
  };
}

/** An error that another attempt does not mend. */
class Refused extends Error {}
