import * as z from 'zod';

/** How the OpenAPI document describes integers that need more than 32 bits. */
export const INT64_JSON_SCHEMA = { type: 'integer', format: 'int64' } as const;

/** A count or a size: an integer that JavaScript can represent exactly. */
export const safeInteger = z.int().meta({ override: INT64_JSON_SCHEMA });
