/** The schemas of the elements of lists. */
import * as z from 'zod';
import { withoutWrappers } from '../wrappers.ts';

/** The first name of a path, and the rest of a path that starts with a name. */
type FirstOf<Path extends string> = Path extends `${infer Name}.${string}` ? Name : Path;
type RestOf<Path extends string, Name> = Path extends `${Name & string}.${infer Rest}`
  ? Rest
  : never;

/** A value that has something at each of these paths: `artistId`, `artistInfo.isVerified`. */
export type Having<Value, Path extends string> = Value & {
  [Name in FirstOf<Path> & keyof Value]: Having<NonNullable<Value[Name]>, RestOf<Path, Name>>;
};

/**
 * The schema of documents that have something at each of these paths. It types and describes what a list returns. Documents are
 * read by their own schema, and a value that is missing all the same does not fail the response: it is left out.
 */
export function schemaHaving<Schema extends z.ZodObject, Path extends string>(
  schema: Schema,
  paths: readonly Path[],
) {
  const made = withRequired(
    schema,
    paths.map((path) => path.split('.')),
  );
  return made as unknown as z.ZodType<
    Having<z.output<Schema>, Path>,
    Having<z.input<Schema>, Path>
  >;
}

function withRequired(schema: z.ZodObject, paths: readonly string[][]): z.ZodObject {
  const names = [...new Set(paths.map(([name = '']) => name))];
  const nested = names.flatMap((name) => {
    const member = schema.shape[name] as z.ZodType | undefined;
    const inner = member && withoutWrappers(member);
    const rests = paths.flatMap(([first, ...rest]) => (first === name && rest[0] ? [rest] : []));
    if (!(inner instanceof z.ZodObject) || rests.length === 0) return [];
    return [[name, described(withRequired(inner, rests).optional(), member)] as const];
  });
  const mask = Object.fromEntries(names.map((name) => [name, true] as const));
  return described(schema.extend(Object.fromEntries(nested)).required(mask), schema);
}

/** The same schema with the id and the description of another one. */
function described<Schema extends z.ZodType>(schema: Schema, by: z.ZodType | undefined): Schema {
  return schema.meta(by?.meta() ?? {});
}
