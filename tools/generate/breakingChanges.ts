/** Finds the differences between two OpenAPI documents of this service that break clients. */
import { isDeepStrictEqual } from 'node:util';

interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Operation {
  readonly parameters?: readonly { name: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

/** An OpenAPI document, as far as it is compared. */
export interface ComparableDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Describes each change that breaks clients: `GET /artists: response[].email was removed`. */
export function findBreakingChanges(before: ComparableDocument, after: ComparableDocument) {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const newOperation = after.paths[path]?.[method];
      if (newOperation === undefined) return [`${name} was removed`];
      return [
        ...compare('parameters', getParameters(operation), getParameters(newOperation)),
        ...compare('body', getSchema(operation.requestBody), getSchema(newOperation.requestBody)),
        ...compare(
          'response',
          getSchema(operation.responses[200]),
          getSchema(newOperation.responses[200]),
        ),
      ].map((change) => `${name}: ${change}`);
    }),
  );

  function compare(path: string, oldSchema: Schema, newSchema: Schema): string[] {
    const oldType = resolveReference(before, oldSchema);
    const newType = resolveReference(after, newSchema);
    if (!isDeepStrictEqual(oldType.type, newType.type)) return [`${path} has another type`];
    const isResponse = path.startsWith('response');
    // A response must not require fewer fields, and a request must not require more.
    const [stricter, weaker] = isResponse ? [oldType, newType] : [newType, oldType];
    const required = stricter.required?.filter((name) => !weaker.required?.includes(name)) ?? [];
    const removedValues = oldType.enum?.filter((value) => !newType.enum?.includes(value)) ?? [];
    return [
      ...removedValues.map((value) => `${path} no longer has the value ${JSON.stringify(value)}`),
      ...required
        .filter((name) => !isResponse || newType.properties?.[name] !== undefined)
        .map((name) => `${path}.${name} ${isResponse ? 'may be missing' : 'became required'}`),
      ...Object.entries(oldType.properties ?? {}).flatMap(([name, field]) => {
        const newField = newType.properties?.[name];
        if (newField !== undefined) return compare(`${path}.${name}`, field, newField);
        return isResponse ? [`${path}.${name} was removed`] : [];
      }),
      ...(oldType.items && newType.items ? compare(`${path}[]`, oldType.items, newType.items) : []),
    ];
  }
}

function getParameters({ parameters = [] }: Operation): Schema {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  return {
    properties,
    required: parameters.filter((parameter) => parameter.required).map(({ name }) => name),
  };
}

function getSchema(body: { content?: Record<string, { schema: Schema }> } = {}): Schema {
  return body.content?.['application/json']?.schema ?? {};
}

function resolveReference({ components }: ComparableDocument, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (components?.schemas[name] ?? {});
}
