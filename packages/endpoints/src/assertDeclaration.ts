import type * as z from 'zod';
import type { EndpointDeclaration } from './declaration.ts';
import { unwrapSchema } from './schemas/unwrap.ts';

/**
 * Throws if a declaration has a mistake that its types allow. The message names the endpoint and what
 * is allowed. These checks are cheap, because every process runs them when it starts.
 */
export function assertDeclaration({
  method,
  path,
  params,
  query,
  body,
}: EndpointDeclaration): void {
  const endpoint = `${method} ${path}`;
  if (method === 'GET' && body !== undefined) {
    throw new Error(`${endpoint}: a GET request has no body. Declare its fields in query.`);
  }
  assertPathParams(endpoint, path, Object.keys(params?.shape ?? {}));
  for (const [name, schema] of Object.entries<z.core.$ZodType>(query?.shape ?? {})) {
    if (acceptsText(schema)) continue;
    throw new Error(
      `${endpoint}: query.${name} does not accept text, but query parameters are text. Use a string, an enum, or a string with .transform() and .pipe().`,
    );
  }
}

function assertPathParams(endpoint: string, path: string, declaredNames: readonly string[]): void {
  const pathNames = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const differences = new Set(pathNames).symmetricDifference(new Set(declaredNames));
  if (differences.size === 0) return;
  throw new Error(
    `${endpoint}: params must declare exactly the parameters of the path. The path has ${formatNames(pathNames)}; params has ${formatNames(declaredNames)}.`,
  );
}

function formatNames(names: readonly string[]): string {
  return names.length > 0 ? names.join(', ') : 'nothing';
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
