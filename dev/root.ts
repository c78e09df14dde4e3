/** The project's root: npm and jest run there. */
export const ROOT = process.cwd();
