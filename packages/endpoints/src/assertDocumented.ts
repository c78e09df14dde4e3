import * as z from 'zod';
import type { CompleteDeclaration } from './declaration/declaration.ts';
import { validate } from './schemas/validate.ts';

/** A schema and its location in the declaration of an endpoint: `flash-reorder: body.flashUpdates[]`. */
interface LocatedSchema {
  readonly schema: z.core.$ZodType;
  readonly location: string;
}

/** The properties of a schema that contain other schemas. Each type of schema has some of them. */
interface NestedSchemas {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly out?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
}

/** The checked schemas that have an ID, by ID. */
type SchemasById = Map<string, LocatedSchema>;

/**
 * Checks that the OpenAPI document can describe these endpoints, by function ID: every field has a
 * description, each `.meta` ID belongs to one schema, no response has a transform, and examples match
 * their schemas. Throws an error that names the endpoint and the field.
 */
export function assertDocumented(declarations: ReadonlyMap<string, CompleteDeclaration>): void {
  const schemasById: SchemasById = new Map();
  const visited = new Set<z.core.$ZodType>();
  for (const [functionId, declaration] of declarations) {
    const { params, query, body, response } = declaration;
    for (const [name, schema] of Object.entries({ params, query, body, response })) {
      if (schema === undefined) continue;
      assertSchema({ schema, location: `${functionId}: ${name}` }, schemasById, visited);
    }
    assertExample(functionId, declaration);
  }
}

function assertSchema(
  located: LocatedSchema,
  schemasById: SchemasById,
  visited: Set<z.core.$ZodType>,
): void {
  if (visited.has(located.schema)) return;
  visited.add(located.schema);
  assertNotTransformed(located);
  assertUniqueId(located, schemasById);
  for (const child of listChildren(located)) assertSchema(child, schemasById, visited);
}

/** Throws for a transform in a response: the serializer picks declared fields, but transforms nothing. */
function assertNotTransformed({ schema, location }: LocatedSchema): void {
  const { type } = schema._zod.def;
  if (!/: response\b/.test(location) || (type !== 'pipe' && type !== 'transform')) return;
  throw new Error(
    `${location} has a transform, but responses are not transformed. Convert the value in the handler.`,
  );
}

function assertUniqueId(located: LocatedSchema, schemasById: SchemasById): void {
  const id = z.globalRegistry.get(located.schema)?.id;
  if (id === undefined) return;
  const first = schemasById.get(id);
  if (first !== undefined) {
    throw new Error(
      `${located.location} has the .meta id ${id} of another schema (${first.location}). Give each schema its own id.`,
    );
  }
  schemasById.set(id, located);
}

/** Lists the schemas directly inside a schema. Throws if one is a field without a description. */
function listChildren({ schema, location }: LocatedSchema): LocatedSchema[] {
  const def = schema._zod.def as NestedSchemas;
  const fields = Object.entries(def.shape ?? {}).map(([name, field]) => {
    const child = { schema: field, location: `${location}.${name}` };
    if (getDescription(field) === undefined) {
      throw new Error(`${child.location} has no description. Add .describe('…').`);
    }
    return child;
  });
  const items = [def.element, def.valueType].filter((item) => item !== undefined);
  const wrapped = [def.innerType, def.in, def.out].filter((inner) => inner !== undefined);
  return [
    ...fields,
    ...items.map((item) => ({ schema: item, location: `${location}[]` })),
    ...[...wrapped, ...(def.options ?? [])].map((inner) => ({ schema: inner, location })),
  ];
}

/** Returns the description of a schema, or of the first schema inside its wrappers and transforms that has one. */
function getDescription(schema: z.core.$ZodType): string | undefined {
  const { description } = z.globalRegistry.get(schema) ?? {};
  if (description !== undefined) return description;
  const def = schema._zod.def as NestedSchemas;
  for (const inner of [def.innerType, def.in, def.out]) {
    const innerDescription = inner && getDescription(inner);
    if (innerDescription !== undefined) return innerDescription;
  }
  return undefined;
}

function assertExample(functionId: string, declaration: CompleteDeclaration): void {
  const { example, params, query, body, response } = declaration;
  if (example === undefined) return;
  try {
    if (params) validate(params, example.params ?? {}, 'params');
    if (query) validate(query, example.query ?? {}, 'query');
    if (body) validate(body, example.body, 'body');
    validate(response, example.response, 'response');
  } catch (error) {
    throw new Error(`${functionId}: the example is invalid: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
