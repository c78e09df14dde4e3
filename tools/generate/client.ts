/** The generated part of the published client: packages/client/src/operations.ts. */
import type { EndpointDeclaration } from '@tattoo-marketplace/endpoints';
import { endpoints } from '../../functions/service.ts';

/** A schema of the OpenAPI document, as far as types depend on it. */
interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface JsonContent {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

interface OpenApiOperation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: JsonContent;
  readonly responses: Readonly<Record<200, JsonContent>>;
}

/** The OpenAPI document, as far as the client depends on it. */
export interface ClientDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Request bodies whose types are in packages/client/src/types.ts: OpenAPI cannot express their rules. */
const HANDWRITTEN_BODIES: readonly string[] = ['Availability'];

/** Renders the operations of the client, and the types of their inputs and results. */
export function renderClientOperations({ paths, components }: ClientDocument): string {
  /** The declarations of types, by name. */
  const declarations = new Map<string, string>();
  const methods: string[] = [];
  const groups = [...Map.groupBy(endpoints, ({ group }) => group)].map(([group, endpoints]) => ({
    group,
    operations: endpoints.map(({ name, operationId, endpoint: { declaration } }) => {
      assertSendable(declaration);
      const { method, path, access, idempotent, createsDocument, summary } = declaration;
      const operation = paths[path]?.[method.toLowerCase()];
      if (operation === undefined) throw new Error(`${operationId} is not in the document.`);
      const result = renderType(operation.responses[200].content['application/json'].schema);
      methods.push(`${operationId}: MarketplaceClient['${group}']['${name}'];`);
      return {
        name,
        comment: renderComment(`${summary}.`),
        request: {
          method,
          path,
          access: access === 'signedIn' ? access : undefined,
          retry: idempotent === false ? 'unsafe' : createsDocument && 'idempotency-key',
        },
        type: `(${renderInput(operationId, operation)}, options?: CallOptions) => Promise<${result}>`,
      };
    }),
  }));

  /** Renders the parameter `input` of a method, and declares its type. */
  function renderInput(
    operationId: string,
    { parameters = [], requestBody }: OpenApiOperation,
  ): string {
    const body = requestBody?.content['application/json'].schema;
    const bodyName = body?.$ref?.split('/').at(-1) ?? '';
    if (HANDWRITTEN_BODIES.includes(bodyName)) return `input: ${bodyName}`;
    const { properties = {}, required = [] } = components.schemas[bodyName] ?? body ?? {};
    // An operation with a body may also accept it as query parameters.
    const locations = body ? ['path'] : ['path', 'query'];
    const fields = [
      ...parameters.filter((parameter) => locations.includes(parameter.in)),
      ...Object.entries(properties).map(([name, schema]) => ({
        name,
        schema,
        required: required.includes(name),
        description: schema.description,
      })),
    ];
    if (fields.length === 0) return 'input?: undefined';
    const type = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Input`;
    const lines = fields.map((field) => {
      const fieldType = renderType(field.schema);
      return field.required
        ? renderField(field.name, fieldType, field.description)
        : renderField(`${field.name}?`, `${fieldType} | undefined`, field.description);
    });
    const comment = renderComment(`The input of \`${operationId}\`.`);
    declarations.set(type, `${comment}export interface ${type} {\n${lines.join('')}}`);
    return `input: ${type}`;
  }

  /** Renders a type. Throws for a schema that it does not support. */
  function renderType(schema: Schema): string {
    const { $ref, type, anyOf } = schema;
    if ($ref !== undefined) return declareComponent($ref.split('/').at(-1) ?? '');
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (anyOf) return anyOf.map(renderType).join(' | ');
    if (Array.isArray(type)) {
      return type.map((member: string) => renderType({ ...schema, type: member })).join(' | ');
    }
    switch (type) {
      case undefined:
        return 'unknown';
      case 'integer':
        return 'number';
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return type;
      case 'array':
        return `(${renderType(schema.items ?? {})})[]`;
      case 'object':
        return schema.properties ? renderObject(schema) : 'Record<string, unknown>';
      default:
        throw new Error(`tools/generate/client.ts does not support ${JSON.stringify(schema)}.`);
    }
  }

  /** Renders the type of an object. The end of a page has a type of its own. */
  function renderObject({ properties = {}, required = [] }: Schema): string {
    const isPage = 'hasMore' in properties && 'nextCursor' in properties;
    const lines = Object.entries(properties)
      .filter(([name]) => !isPage || (name !== 'hasMore' && name !== 'nextCursor'))
      .map(([name, schema]) => {
        const isOptional = required.includes(name) ? '' : '?';
        return renderField(`${name}${isOptional}`, renderType(schema), schema.description);
      });
    return `{\n${lines.join('')}}${isPage ? ' & PageEnd' : ''}`;
  }

  /** Declares the type of a component, and returns its name. */
  function declareComponent(name: string): string {
    const schema = components.schemas[name] ?? {};
    if (!declarations.has(name)) {
      declarations.set(name, ''); // In case it refers to itself.
      const declaration = `export type ${name} = ${renderType(schema)};`;
      declarations.set(name, `${renderComment(schema.description)}${declaration}`);
    }
    return name;
  }

  return `/** The operations of the API. Written by \`npm run generate\`. */
import type { ${[...HANDWRITTEN_BODIES, 'CallOptions', 'PageEnd'].join(', ')} } from './types.ts';

export const OPERATIONS = {
${groups
  .map(({ group, operations }) => {
    const lines = operations.map(({ name, request }) => `${name}: ${JSON.stringify(request)},`);
    return `${group}: {\n${lines.join('\n')}\n},`;
  })
  .join('\n')}
} as const;

/** The operations of the API, grouped by resource. */
export interface MarketplaceClient {
${groups
  .map(({ group, operations }) => {
    const lines = operations.map(
      ({ name, comment, type }) => `${comment}readonly ${name}: ${type};`,
    );
    return `readonly ${group}: {\n${lines.join('\n')}\n};`;
  })
  .join('\n')}
}

/** The methods of the client, by operation id. */
export interface Methods {
${methods.join('\n')}
}

${[...declarations.values()].join('\n\n')}
`;
}

/** Throws if the client cannot send each input of an endpoint: an input has one field for each name. */
export function assertSendable(
  declaration: Pick<EndpointDeclaration, 'method' | 'path' | 'params' | 'query' | 'body'>,
): void {
  const { method, path, params, query, body } = declaration;
  if (method !== 'GET' && query !== undefined) {
    throw new Error(
      `${method} ${path}: the client sends a query only with GET. Declare the fields of query in body.`,
    );
  }
  const others = { ...query?.shape, ...body?.shape };
  const repeated = Object.keys(params?.shape ?? {}).find((name) => name in others);
  if (repeated === undefined) return;
  throw new Error(
    `${method} ${path}: params and ${query ? 'query' : 'body'} both have ${repeated}, but the client's input has one field of each name. Rename one.`,
  );
}

function renderField(name: string, type: string, description?: string): string {
  return `${renderComment(description)}${name}: ${type};\n`;
}

function renderComment(description?: string): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '*\\/')} */\n`;
}
