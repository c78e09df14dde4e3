/** The routes of the server: the API, pages that show the stored documents, and usage. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { METHODS, type DatabaseContext } from './methods.ts';
import { Database } from '../engine/database.ts';
import { renderDataPage, renderDatabasesPage } from '../explorer/pages.ts';
import type { ParsedQuery } from '../engine/query.ts';
import { ApiError, unimplementedError } from '../engine/apiError.ts';
import { parseJsonBody } from '../engine/parseJson.ts';
import { Transactions } from '../engine/transactions.ts';
import { DatabaseUsage } from './databaseUsage.ts';

/** The databases of a server, by root. A database exists from its first use. */
export class Databases {
  readonly #contexts = new Map<string, DatabaseContext>();
  readonly #checkIndexes: (query: ParsedQuery) => void;

  constructor(checkIndexes: (query: ParsedQuery) => void) {
    this.#checkIndexes = checkIndexes;
  }

  /** Returns the database with this root; undefined if it has not been used. */
  get(root: string): DatabaseContext | undefined {
    return this.#contexts.get(root);
  }

  /** Returns the database with this root, and creates it if it does not exist. */
  open(root: string): DatabaseContext {
    const existing = this.#contexts.get(root);
    if (existing) return existing;
    const database = new Database(root);
    const context = {
      database,
      transactions: new Transactions(database),
      usage: new DatabaseUsage(),
      checkIndexes: this.#checkIndexes,
    };
    this.#contexts.set(root, context);
    return context;
  }

  list(): Database[] {
    return [...this.#contexts.values()].map(({ database }) => database);
  }
}

/** A request whose path has matched the pattern of a route. */
interface RoutedRequest {
  readonly databases: Databases;
  readonly request: IncomingMessage;
  /** The named groups of the pattern. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly search: string;
}

interface Route {
  /** Default: any method. */
  readonly httpMethod?: string;
  readonly pattern: RegExp;
  /** Returns the body of the response, or a promise of it. */
  readonly handle: (request: RoutedRequest) => unknown;
}

const ROOT_PATTERN = String.raw`(?<root>projects/[^/]+/databases/[^/]+/documents)`;

const ROUTES: readonly Route[] = [
  { httpMethod: 'GET', pattern: /^\/usage\/(?<project>[^/]+)$/, handle: showUsage },
  { httpMethod: 'GET', pattern: /^\/$/, handle: showDatabases },
  {
    httpMethod: 'GET',
    pattern: new RegExp(`^/${ROOT_PATTERN}(?:/(?<path>.+))?$`, 's'),
    handle: showData,
  },
  {
    pattern: new RegExp(
      String.raw`^/v1/${ROOT_PATTERN}(?:/(?<path>.*?))?(?::(?<methodName>\w+))?$`,
      's',
    ),
    handle: callMethod,
  },
];

/**
 * Matches `owner`, and a token that the Admin SDK has signed with its credentials. Users' tokens of the Auth emulator are
 * unsigned.
 */
const ADMIN_AUTHORIZATION = /^Bearer (owner|[^.]+\.[^.]+\.[^.]+)$/;

/**
 * Returns the body of the response: JSON, or `Html`. Throws an `ApiError`. Only an accepted API call
 * reads the body of the request.
 */
export function route(request: IncomingMessage, databases: Databases): unknown {
  assertLocalHost(request.headers.host);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://firestore');
  const path = decodeURIComponent(pathname);
  const search = searchParams.get('search') ?? '';
  for (const { httpMethod = request.method, pattern, handle } of ROUTES) {
    const match = pattern.exec(path);
    if (match && httpMethod === request.method) {
      return handle({ databases, request, params: match.groups ?? {}, search });
    }
  }
  throw new ApiError('NOT_FOUND', 'Not Found');
}

function showUsage({ databases, params: { project = '' } }: RoutedRequest) {
  const context = databases.get(`projects/${project}/databases/(default)/documents`);
  if (!context) throw new ApiError('NOT_FOUND', `The project ${project} has not been used.`);
  return context.usage;
}

function showDatabases({ databases }: RoutedRequest) {
  return renderDatabasesPage(databases.list());
}

function showData({ databases, params: { root = '', path = '' }, search }: RoutedRequest) {
  return renderDataPage(databases.get(root)?.database ?? new Database(root), path, search);
}

async function callMethod({ databases, request, params }: RoutedRequest) {
  const { root = '', path = '', methodName = '' } = params;
  if (!ADMIN_AUTHORIZATION.test(request.headers.authorization ?? '')) {
    throw new ApiError('PERMISSION_DENIED', 'Send the header Authorization: Bearer owner.');
  }
  const method = Object.hasOwn(METHODS, methodName) ? METHODS[methodName] : undefined;
  if (request.method !== 'POST' || !method) {
    throw unimplementedError(methodName || `${String(request.method)} of documents and lists`);
  }
  const body = await text(request);
  const context = { ...databases.open(root), path };
  const { calls } = context.usage;
  calls[methodName] = (calls[methodName] ?? 0) + 1;
  return method(context, parseJsonBody(body));
}

/**
 * Rejects a request to any host but this machine. Otherwise, a web page whose host name resolves to this machine (DNS
 * rebinding) could read and write everything.
 */
function assertLocalHost(host = ''): void {
  if (/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)) return;
  const message = `Unknown host: ${host}. The embedded Firestore only serves localhost.`;
  throw new ApiError('PERMISSION_DENIED', message);
}
