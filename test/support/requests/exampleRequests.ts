import * as z from 'zod';
import type { Collection } from '@tattoo-marketplace/collections';
import {
  getExample,
  isDocumentIdSchema,
  isPageSizeSchema,
  unwrapSchema,
} from '@tattoo-marketplace/endpoints';
import type { DocumentData, EmulatorClient } from '@tattoo-marketplace/firestore-embedded';
import { COLLECTIONS, getEndpoint } from '../../../functions/service.ts';
import { demoAccounts } from '../../../demo/accounts.ts';
import { EXAMPLE_CALLER } from '../../../demo/documents.ts';
import { getExampleDocument } from './exampleDocuments.ts';

/** A request as it is sent. */
export interface ExampleRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A caller with copies of the example documents, for the example requests of a test. */
export interface ExampleFixture {
  readonly uid: string;
  /** The prefix of the ids of the documents. */
  readonly prefix: string;
  /** The number of documents in each collection, and in a list of ids. */
  readonly size?: number;
}

function createDocumentIds({ prefix, size = 3 }: ExampleFixture): string[] {
  return Array.from({ length: size }, (_, index) => `${prefix}-${index}`);
}

/**
 * Stores the documents that the example requests of a fixture need: copies of the examples, in which its user stands for every
 * user, and so has every role.
 */
export async function storeFixture(store: EmulatorClient, fixture: ExampleFixture): Promise<void> {
  await store.setAll(COLLECTIONS.flatMap((collection) => createCopies(collection, fixture)));
}

/** Creates a copy of the example for each id, in this order in each list. The only user is the caller. */
function createCopies(
  collection: Collection,
  fixture: ExampleFixture,
): (readonly [string, DocumentData])[] {
  const { path, owner, lists } = collection;
  const [examplePath, example] = getExampleDocument(path);
  const data = replaceUsers(fixture, example) as DocumentData;
  if (examplePath === `${path}/${EXAMPLE_CALLER}`) return [[`${path}/${fixture.uid}`, data]];
  const ids = createDocumentIds(fixture);
  const folder = path.replace(/\{\w+\}/g, ids[0] ?? '');
  const sortFields = lists.flatMap(({ orderBy = '' }) => {
    const first = data[orderBy];
    return typeof first === 'number' ? [[orderBy, first] as const] : [];
  });
  return ids.map((id, index) => {
    const sortKeys = Object.fromEntries(sortFields.map(([field, first]) => [field, first + index]));
    return [`${folder}/${id}`, { ...data, ...(owner && { [owner]: fixture.uid }), ...sortKeys }];
  });
}

const DEMO_USERS = new Set<unknown>(demoAccounts.map(({ uid }) => uid));

/** Copies example data, with the caller of a fixture in place of every user. */
function replaceUsers({ uid }: ExampleFixture, data: object): object {
  return JSON.parse(JSON.stringify(data), (_name, value: unknown) =>
    DEMO_USERS.has(value) ? uid : value,
  ) as object;
}

type RequestFields = Readonly<Record<string, unknown>>;

/** The parts of a request, before they become a URL and JSON. */
export interface RequestParts {
  readonly params?: RequestFields | undefined;
  readonly query?: RequestFields | undefined;
  /** A string is sent unchanged. */
  readonly body?: RequestFields | string | undefined;
}

/** Builds the request to a function from its parts. */
export function buildExampleRequest(
  functionId: string,
  parts: RequestParts,
  token?: string,
): ExampleRequest {
  const { method, path } = getEndpoint(functionId).endpoint.declaration;
  const { params = {}, query = {}, body } = parts;
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    // An undefined parameter is not sent.
    for (const value of [values ?? []].flat()) search.append(name, toText(value));
  }
  const target = path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(toText(params[name]).toWellFormed()),
  );
  return {
    method,
    path: `${target}${search.size === 0 ? '' : `?${search.toString()}`}`,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: toText(body) }),
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/**
 * Returns the parts of a function's example request, adapted to a fixture: the caller becomes the fixture's user, a single
 * id its first document, a list of ids all of its documents. The page size becomes the default.
 */
export function createExampleParts(functionId: string, fixture: ExampleFixture) {
  const deployed = getEndpoint(functionId);
  const { params, query, body } = getExample(deployed);
  const schemas = deployed.endpoint.declaration;
  const parts = replaceUsers(fixture, { params, query, body }) as Readonly<Record<string, unknown>>;
  return {
    params: adaptToFixture(schemas.params, parts.params, fixture),
    query: adaptToFixture(schemas.query, parts.query, fixture),
    body: adaptToFixture(schemas.body, parts.body, fixture),
  } as { readonly [Part in keyof RequestParts]?: RequestFields };
}

/** Replaces the ids and the page size in an example, by its schema. */
function adaptToFixture(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  fixture: ExampleFixture,
): unknown {
  if (schema === undefined || value === undefined || isPageSizeSchema(schema)) return undefined;
  const ids = createDocumentIds(fixture);
  if (isDocumentIdSchema(schema)) return value === fixture.uid ? value : ids[0];
  const type = unwrapSchema(schema);
  if (type instanceof z.ZodPipe) return adaptToFixture(type.def.out, value, fixture);
  if (type instanceof z.ZodArray) return adaptList(type.element, value as unknown[], fixture);
  if (!(type instanceof z.ZodObject)) return value;
  const shape: Readonly<Record<string, z.core.$ZodType>> = type.shape;
  const fields = Object.entries(value as RequestFields).map(([name, field]) => {
    return [name, adaptToFixture(shape[name], field, fixture)] as const;
  });
  return Object.fromEntries(fields);
}

/** Replaces a list of ids, or of objects with ids, by one with an item for each document of a fixture. */
function adaptList(
  item: z.core.$ZodType,
  values: readonly unknown[],
  fixture: ExampleFixture,
): unknown {
  const ids = createDocumentIds(fixture);
  if (isDocumentIdSchema(item)) return ids;
  if (!(item instanceof z.ZodObject)) return values;
  const fields = Object.entries<z.core.$ZodType>(item.shape);
  const idField = fields.find(([, schema]) => isDocumentIdSchema(schema));
  if (idField === undefined) return values;
  return ids.map((id) => ({ ...(values[0] as RequestFields), [idField[0]]: id }));
}

/** Returns the example request of a function, adapted to a fixture. `query` overrides query parameters. */
export function createExampleRequest(
  functionId: string,
  fixture: ExampleFixture,
  token: string,
  query: Readonly<Record<string, string>> = {},
): ExampleRequest {
  const parts = createExampleParts(functionId, fixture);
  return buildExampleRequest(functionId, { ...parts, query: { ...parts.query, ...query } }, token);
}
