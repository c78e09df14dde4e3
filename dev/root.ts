/** The root of the repository: npm and jest start all programs there. */
export const ROOT = process.cwd();
