/** A rehearsal runs the Firebase CLI several times, with an installation and a build each: minutes on a busy machine. */
jest.setTimeout(10 * 60_000);

export {};
