import type * as z from 'zod';
import type { EndpointDeclaration } from './declaration/declaration.ts';
import { unwrapSchema } from './schemas/unwrap.ts';

/** Segments of fixed text, or parameters: `/flash/artist/{id}`. */
const PATH = /^(\/([\w.~-]+|\{\w+\}))+$/;

/** The numbers that an endpoint may declare, and their ranges. The timeout of Hosting is 60 s. */
const RANGES = {
  deadlineSeconds: [1, 59],
  concurrency: [1, 250],
} as const;

/**
 * Throws if a declaration has a mistake that its types allow. The message names the endpoint and what
 * is allowed. These checks are cheap, because every process runs them when it starts.
 */
export function assertDeclaration(declaration: EndpointDeclaration): void {
  const { method, path } = declaration;
  const problem =
    findPathProblem(declaration) ??
    findParamsProblem(declaration) ??
    findQueryProblem(declaration) ??
    findBodyProblem(declaration) ??
    findCacheProblem(declaration) ??
    findRangeProblem(declaration);
  if (problem !== undefined) throw new Error(`${method} ${path}: ${problem}`);
}

function findPathProblem({ path }: EndpointDeclaration): string | undefined {
  if (path.startsWith('/api/')) {
    return 'the path is below the base URL, which ends in /api. Write it without /api.';
  }
  if (!PATH.test(path)) {
    return 'the path is invalid. Write it like /flash/artist/{id}, without a slash at the end.';
  }
  // Hosting could not tell it from the paths that no endpoint has.
  if (/^(\/\{\w+\})+$/.test(path)) return 'the path needs a segment that is not a parameter.';
  return undefined;
}

function findParamsProblem({ path, params }: EndpointDeclaration): string | undefined {
  const declaredNames = Object.keys(params?.shape ?? {});
  const pathNames = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const differences = new Set(pathNames).symmetricDifference(new Set(declaredNames));
  if (differences.size === 0) return undefined;
  return `params must declare exactly the parameters of the path. The path has ${formatNames(pathNames)}; params has ${formatNames(declaredNames)}.`;
}

function formatNames(names: readonly string[]): string {
  return names.length > 0 ? names.join(', ') : 'nothing';
}

function findQueryProblem({ query }: EndpointDeclaration): string | undefined {
  const invalid = getFieldSchemas(query).find(([, schema]) => !acceptsText(schema));
  return (
    invalid &&
    `query.${invalid[0]} does not accept text, but query parameters are text. Use a string, an enum, or a string with .transform() and .pipe().`
  );
}

function findBodyProblem(declaration: EndpointDeclaration): string | undefined {
  const { method, body, allowBodyInQuery, createsDocument } = declaration;
  if (method === 'GET' && body !== undefined) {
    return 'a GET request has no body. Declare its fields in query.';
  }
  if (method === 'GET' && createsDocument) {
    return 'a GET request creates nothing. Use POST, or remove createsDocument.';
  }
  if (!allowBodyInQuery) return undefined;
  const single = getFieldSchemas(body).find(([, schema]) => !acceptsList(schema));
  return single && `allowBodyInQuery needs a body of lists, but body.${single[0]} is not a list.`;
}

/** A cached response is sent to other callers; a coalesced one also to callers with other parameters. */
function findCacheProblem(declaration: EndpointDeclaration): string | undefined {
  const { method, access, params, query, cacheSeconds, coalesceReads } = declaration;
  const isPublicRead = method === 'GET' && access === 'public';
  if (!isPublicRead && (cacheSeconds !== undefined || coalesceReads)) {
    return 'only public GET requests may have cacheSeconds or coalesceReads, because their responses are sent to other callers.';
  }
  if (!coalesceReads || (params ?? query) === undefined) return undefined;
  return 'coalesceReads allows neither params nor query, because all callers share one response.';
}

function findRangeProblem(declaration: EndpointDeclaration): string | undefined {
  for (const [name, [minimum, maximum]] of Object.entries(RANGES)) {
    const value = declaration[name as keyof typeof RANGES] ?? minimum;
    if (Number.isInteger(value) && value >= minimum && value <= maximum) continue;
    return `${name} must be an integer from ${minimum} to ${maximum}.`;
  }
  return undefined;
}

function getFieldSchemas(schema: z.ZodObject | undefined): readonly [string, z.core.$ZodType][] {
  return Object.entries<z.core.$ZodType>(schema?.shape ?? {});
}

/** Types of schemas that never accept text. */
const NON_TEXT_TYPES = [
  'number',
  'int',
  'bigint',
  'boolean',
  'date',
  'object',
  'array',
  'record',
  'null',
];

function acceptsText(schema: z.core.$ZodType): boolean {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type === 'pipe') return acceptsText((def as z.core.$ZodPipeDef).in);
  if (def.type === 'union') return (def as z.core.$ZodUnionDef).options.some(acceptsText);
  return !NON_TEXT_TYPES.includes(def.type);
}

/** Returns whether the values of a schema are lists. `z.preprocess` is a transform, and then the list. */
function acceptsList(schema: z.core.$ZodType): boolean {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type !== 'pipe') return def.type === 'array';
  const { in: input, out } = def as z.core.$ZodPipeDef;
  return acceptsList(input._zod.def.type === 'transform' ? out : input);
}
