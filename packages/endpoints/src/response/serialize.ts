import * as z from 'zod';
import { isWrite, type CompleteDeclaration } from '../declaration/declaration.ts';
import { isDeployed } from '../runtime/environment.ts';
import { unwrapSchema } from '../schemas/unwrap.ts';

/** Serializes a handler's output, or a batch of it, as JSON. */
export type Serializer = (output: unknown) => string;

/**
 * Creates the serializer for the response of an endpoint. It includes only the fields that the
 * schema declares, at every level, and does not validate their values again. Throws for a value of
 * another type than the schema's; the message is for the log. Unless the process is deployed, also
 * throws for an undeclared field.
 */
export function createSerializer(
  declaration: Pick<CompleteDeclaration, 'method' | 'path' | 'response'>,
): Serializer {
  const { method, path } = declaration;
  const pickFields = createFieldPicker(declaration.response, 'response');
  const rejectUndeclared = !isDeployed();
  return (output) => {
    try {
      const picked = pickFields(output);
      if (rejectUndeclared) assertNothingOmitted(output, picked, 'response');
      return JSON.stringify(picked);
    } catch (cause) {
      const problem = cause instanceof TypeError ? cause.message : 'a field is not valid';
      const writes = isWrite(declaration) ? ' Writes of this request were not rolled back.' : '';
      throw new Error(
        `${method} ${path} returned a response that does not match its schema: ${problem}.${writes}`,
        { cause },
      );
    }
  };
}

/** Copies the fields that a schema declares. Throws if the value has another type. */
type FieldPicker = (value: unknown) => unknown;

const PRIMITIVE_TYPES: readonly string[] = ['string', 'number', 'boolean'];

function createFieldPicker(schema: z.core.$ZodType, path: string): FieldPicker {
  const unwrapped = unwrapSchema(schema);
  if (unwrapped !== schema) return createOptionalPicker(unwrapped, path);
  if (schema instanceof z.ZodArray) return createArrayPicker(schema, path);
  if (schema instanceof z.ZodObject && schema.def.catchall === undefined) {
    return createObjectPicker(schema, path);
  }
  const { type } = schema._zod.def;
  if (PRIMITIVE_TYPES.includes(type)) return createPrimitivePicker(type, path);
  // Other types, such as records, may contain objects: Zod removes their undeclared fields.
  return (value) => z.parse(schema, value);
}

function createOptionalPicker(schema: z.core.$ZodType, path: string): FieldPicker {
  const pickFields = createFieldPicker(schema, path);
  return (value) => (value === undefined ? undefined : pickFields(value));
}

function createArrayPicker(schema: z.ZodArray, path: string): FieldPicker {
  const pickFields = createFieldPicker(schema.element, `${path}[]`);
  return (value) => {
    if (!Array.isArray(value)) throw typeMismatchError(path);
    return value.map(pickFields);
  };
}

function createObjectPicker(schema: z.ZodObject, path: string): FieldPicker {
  const fields = Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => ({
    name,
    pickFields: createFieldPicker(field, `${path}.${name}`),
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null) throw typeMismatchError(path);
    const picked: Record<string, unknown> = {};
    for (const { name, pickFields } of fields) {
      const field = pickFields((value as Readonly<Record<string, unknown>>)[name]);
      if (field !== undefined) picked[name] = field;
    }
    return picked;
  };
}

/** Throws if an object has a field that was not picked. */
function assertNothingOmitted(value: unknown, picked: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const fieldPath = Array.isArray(value) ? `${path}[]` : `${path}.${name}`;
    const pickedField = (picked as Readonly<Record<string, unknown>>)[name];
    if (pickedField === undefined) {
      throw new TypeError(
        `${fieldPath} is not declared. Declare it in the response of the endpoint, or do not return it`,
      );
    }
    assertNothingOmitted(field, pickedField, fieldPath);
  }
}

function createPrimitivePicker(type: string, path: string): FieldPicker {
  return (value) => {
    if (typeof value !== type) throw typeMismatchError(path);
    return value;
  };
}

function typeMismatchError(path: string): Error {
  return new TypeError(`${path} has the wrong type`);
}
