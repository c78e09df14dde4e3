import type * as z from 'zod';
import type { EndpointDeclaration } from './declaration.ts';
import { unwrapSchema } from './schemas/unwrap.ts';

/**
 * Checks what the types cannot: throws a sentence that names the endpoint and says what is allowed.
 * These checks are cheap, because every process runs them when it starts.
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
  assertSameNames(endpoint, path, Object.keys(params?.shape ?? {}));
  for (const [name, schema] of Object.entries<z.core.$ZodType>(query?.shape ?? {})) {
    if (acceptsText(schema)) continue;
    throw new Error(
      `${endpoint}: query.${name} does not accept text, but query parameters are text. Use a string, an enum, or a string with .transform() and .pipe().`,
    );
  }
}

function assertSameNames(endpoint: string, path: string, declared: readonly string[]): void {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const missing = names.filter((name) => !declared.includes(name));
  const unused = declared.filter((name) => !names.includes(name));
  if (missing.length === 0 && unused.length === 0) return;
  const list = (fields: readonly string[]) => (fields.length > 0 ? fields.join(', ') : 'nothing');
  throw new Error(
    `${endpoint}: params must declare exactly the parameters of the path. The path has ${list(names)}; params has ${list(declared)}.`,
  );
}

/** Types whose values are never text. */
const OTHER_TYPES = [
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
  return !OTHER_TYPES.includes(def.type);
}
