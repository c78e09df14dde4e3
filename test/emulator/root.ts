/** The project's root: npm runs every script there, and jest is run there. */
export const ROOT = process.cwd();
