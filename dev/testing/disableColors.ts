/** Removes the variable with which jest enables colors in its workers: tests compare the output of child processes. */
Reflect.deleteProperty(process.env, 'FORCE_COLOR');

export {};
