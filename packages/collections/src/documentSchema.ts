/** The schemas of stored documents, and their restrictions. */
import * as z from 'zod';
import { listSchemaLayers, unwrapSchema } from '@tattoo-marketplace/endpoints';
import { timeSchemas } from './times.ts';

/** The schema of stored documents. `id` is the ID of the document. All other fields must be optional or have a default. */
export type DocumentSchema = z.ZodObject<{ id: z.ZodString }>;

/** The name of a field: `order`. */
export type FieldName<Schema extends DocumentSchema> = Exclude<
  keyof Schema['shape'] & string,
  'id'
>;

/** Types of schemas whose values are strings, numbers or booleans. */
const PRIMITIVE_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'enum']);

const ALLOWED_TYPES =
  'Allowed are strings, numbers, booleans, enums, storedTime, and objects and arrays of these, without transforms and coercion.';

/** Lists the fields of a document schema, without `id`. */
export function listFields(
  schema: DocumentSchema,
): readonly [name: string, schema: z.core.$ZodType][] {
  return Object.entries<z.core.$ZodType>(schema.shape).filter(([name]) => name !== 'id');
}

/**
 * Throws if a collection cannot store documents of a schema. A field may be required only if the
 * documents are filtered by it: stored documents may lack every other field.
 */
export function assertSupported(
  collection: string,
  schema: DocumentSchema,
  filters: readonly string[] = [],
): void {
  if (!('id' in schema.shape)) {
    throw new Error(`The schema of ${collection} has no id: add \`id: z.string()\`.`);
  }
  const problem = findChecksProblem(schema) ?? findFieldsProblem(listFields(schema), '', filters);
  if (problem === undefined) return;
  const { path = 'The document', reason, allowed } = problem;
  throw new Error(`${path} in the schema of ${collection} ${reason}. ${allowed}`);
}

/** A reason why a schema is not supported, and what to do. */
interface Problem {
  readonly path?: string;
  readonly reason: string;
  readonly allowed: string;
}

function findFieldsProblem(
  fields: readonly (readonly [name: string, schema: z.core.$ZodType])[],
  parent: string,
  filters: readonly string[],
): Problem | undefined {
  for (const [name, schema] of fields) {
    const path = parent + name;
    const problem = findNameProblem(name, path) ?? findFieldProblem(schema, path, filters);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findNameProblem(name: string, path: string): Problem | undefined {
  if (/^[A-Za-z_]\w*$/.test(name)) return undefined;
  return {
    path,
    reason: 'is not a valid field name',
    allowed: 'Use letters, digits and underscores.',
  };
}

function findFieldProblem(
  schema: z.core.$ZodType,
  path: string,
  filters: readonly string[],
): Problem | undefined {
  const problem = findValueProblem(schema, path, filters);
  if (problem !== undefined) return problem;
  const isFilter = filters.some((filter) => `${filter}.`.startsWith(`${path}.`));
  if (!isFilter && !acceptsUndefined(schema)) {
    return {
      path,
      reason: 'is required, but stored documents may lack it',
      allowed: 'Make it `.optional()`, or give it a `.default()`.',
    };
  }
  if (hasDescription(schema)) return undefined;
  return { path, reason: 'has no description', allowed: 'Add `.describe(…)`.' };
}

function findValueProblem(
  schema: z.core.$ZodType,
  path: string,
  filters: readonly string[],
): Problem | undefined {
  const type = unwrapSchema(schema);
  for (const layer of listSchemaLayers(schema)) {
    const problem = findChecksProblem(layer, path);
    if (problem !== undefined) return problem;
  }
  if (type instanceof z.ZodObject) {
    return findFieldsProblem(Object.entries(type.shape), `${path}.`, filters);
  }
  if (type instanceof z.ZodArray) return findValueProblem(type.element, `${path}[]`, []);
  if (timeSchemas.get(type) !== undefined) return undefined;
  const { def } = type._zod;
  if (!PRIMITIVE_TYPES.has(def.type)) {
    const reason = `has the type ${def.type}, which is not supported`;
    return { path, reason, allowed: ALLOWED_TYPES };
  }
  // `z.coerce` would turn a map into a string, and the string "false" into true.
  if ('coerce' in def) {
    const reason = 'has z.coerce, which is not supported';
    return { path, reason, allowed: ALLOWED_TYPES };
  }
  return undefined;
}

/** Finds checks that no decoder runs: refinements of objects, lists and optional values. */
function findChecksProblem({ _zod: { def } }: z.core.$ZodType, path?: string): Problem | undefined {
  if (PRIMITIVE_TYPES.has(def.type) || !def.checks?.length) return undefined;
  return {
    ...(path !== undefined && { path }),
    reason: 'has a check, which is not supported there',
    allowed: 'Checks are allowed only of strings, numbers, booleans and enums.',
  };
}

function acceptsUndefined(schema: z.core.$ZodType): boolean {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  );
}

/** Returns whether a schema, or a schema inside its wrappers, has a description. */
function hasDescription(schema: z.core.$ZodType): boolean {
  return listSchemaLayers(schema).some(
    (layer) => z.globalRegistry.get(layer)?.description !== undefined,
  );
}
