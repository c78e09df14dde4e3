/** The header of a response that says that the function could not be started (startFailure.ts). */
export const START_FAILURE_HEADER = 'x-emulator-start-failure';
