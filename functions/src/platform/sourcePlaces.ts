import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

let map: SourceMap | undefined;

/**
 * The error, with files and lines of the source in its stack and in those of its causes, instead of places in the
 * bundle. The source map is read when the first error is reported: Node's own support (`--enable-source-maps`) reads it
 * at each start, which takes 3 % of a cold start.
 */
export function withSourcePlaces(error: unknown): unknown {
  const seen = new Set<unknown>();
  for (let each = error; each instanceof Error && !seen.has(each); each = each.cause) {
    seen.add(each);
    if (each.stack !== undefined) each.stack = withSources(each.stack);
  }
  return error;
}

/** The stack with places in the source, as far as there is a source map. */
function withSources(stack: string): string {
  try {
    const place = new RegExp(`${RegExp.escape(__filename)}:(\\d+):(\\d+)`, 'g');
    return stack.replace(place, (inBundle, line: string, column: string) => {
      map ??= new SourceMap(readMap());
      const origin = map.findOrigin(Number(line), Number(column));
      if (!('fileName' in origin)) return inBundle;
      const { fileName, lineNumber, columnNumber } = origin;
      return `${fileName.replace(/^(\.\.\/)+/, '')}:${lineNumber}:${columnNumber}`;
    });
  } catch {
    // Tests run the source itself.
    return stack;
  }
}

function readMap(): SourceMapPayload {
  return JSON.parse(readFileSync(`${__filename}.map`, 'utf8')) as SourceMapPayload;
}
