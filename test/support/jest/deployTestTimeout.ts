/** Raises the timeout of deploy tests, which run the Firebase CLI several times, with an installation and a build each. */
jest.setTimeout(10 * 60_000);

export {};
