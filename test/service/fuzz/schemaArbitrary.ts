import fc, { type Arbitrary } from 'fast-check';

/** The part of JSON Schema that the document uses for requests. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: { readonly enum: readonly string[] };
  readonly additionalProperties?: JsonSchema | boolean;
  readonly default?: unknown;
  readonly description?: string;
}

const KNOWN: ReadonlySet<string> = new Set([
  ...['$ref', 'type', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'],
  ...['minItems', 'maxItems', 'items', 'properties', 'required', 'propertyNames'],
  ...['additionalProperties', 'default', 'description', 'format'],
]);

/** The maximum length of generated lists: with up to 500 elements, all requests would look the same. */
const MAX_ITEMS = 4;

/** Options of the generator. */
export interface SchemaContext {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Known texts for a field, such as the ids of stored documents; those that match the pattern are preferred. */
  readonly known: (field: string, pattern: string) => readonly string[];
}

/** Generates values of a JSON schema. Throws for an unknown keyword, so that none is silently ignored. */
export function arbitraryOf(
  schema: JsonSchema,
  context: SchemaContext,
  field = '',
): Arbitrary<unknown> {
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  if (unknown.length > 0) throw new Error(`The fuzzer does not know ${unknown.join(', ')}.`);
  if (schema.$ref !== undefined) {
    const named = context.schemas[schema.$ref.replace('#/components/schemas/', '')];
    if (named === undefined) throw new Error(`There is no schema ${schema.$ref}.`);
    return arbitraryOf(named, context, field);
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { type } = schema;
  if (typeof type === 'object') {
    return fc.oneof(...type.map((one) => arbitraryOf({ ...schema, type: one }, context, field)));
  }
  switch (type) {
    case undefined:
      return anyJson;
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integerOf(schema);
    case 'number':
      return fc.oneof(
        // As small as stored session numbers, so that some exist.
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }) },
        fc.integer({ min: 0, max: 2 ** 31 }),
        fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true }),
      );
    case 'string':
      return stringOf(schema, context, field);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, context, field), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MAX_ITEMS, MAX_ITEMS),
      });
    case 'object':
      return objectOf(schema, context);
    default:
      throw new Error(`The fuzzer does not know the type ${type}.`);
  }
}

/** Any JSON that Firestore can store: no list directly in a list, no reserved names, no unpaired surrogates. */
const { json: anyJson } = fc.letrec<{ json: unknown; flat: unknown }>((tie) => ({
  flat: fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  ),
  json: fc.oneof(
    { maxDepth: 3 },
    tie('flat'),
    fc.array(
      fc.oneof(
        tie('flat'),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('flat'), { maxKeys: 3 }),
      ),
      { maxLength: 3 },
    ),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('json'), { maxKeys: 3 }),
  ),
}));

/** Half of them are small, like most positions and numbers. */
function integerOf({ minimum = -1000, maximum = 1000 }: JsonSchema): Arbitrary<number> {
  const least = Math.max(minimum, 0);
  return fc.oneof(
    fc.integer({ min: least, max: Math.min(maximum, least + 3) }),
    fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) }),
  );
}

function stringOf(
  { minLength = 0, maxLength = 60, pattern }: JsonSchema,
  context: SchemaContext,
  field: string,
) {
  const free = fc
    .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) })
    .filter((made) => Array.from(made).length >= minLength);
  if (pattern === undefined) return free;
  const matches = new RegExp(pattern, 'su');
  // For a pattern that forbids something, most texts are valid; for other patterns, texts are generated from the
  // pattern.
  const made = pattern.startsWith('^(?!')
    ? free.filter((one) => matches.test(one))
    : fc.stringMatching(matches);
  const known = context.known(field, pattern);
  return known.length === 0
    ? made
    : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: made });
}

function objectOf(schema: JsonSchema, context: SchemaContext): Arbitrary<unknown> {
  if (schema.propertyNames) {
    const value =
      typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    return fc.dictionary(
      fc.constantFrom(...schema.propertyNames.enum),
      arbitraryOf(value, context),
      { maxKeys: 3 },
    );
  }
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [name, arbitraryOf(member, context, name)] as const,
  );
  return fc.record(Object.fromEntries(properties), { requiredKeys: [...(schema.required ?? [])] });
}
