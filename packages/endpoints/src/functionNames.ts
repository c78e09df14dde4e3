/** What others call a function with the id `flash-listByArtist`. */

/** The name by which the Functions Framework finds a function in the package: `flash.listByArtist`. */
export function targetOf(functionId: string): string {
  return functionId.replaceAll('-', '.');
}

/** The Cloud Run service of a function, as the CLI names it: `flash-listbyartist`. */
export function serviceOf(functionId: string): string {
  return functionId.toLowerCase().replaceAll('_', '-');
}
