/** The header of the answer to a call whose function could not be started (startFailure.ts). */
export const START_FAILURE_HEADER = 'x-emulator-start-failure';
