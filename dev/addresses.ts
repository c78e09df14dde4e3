import { getEmulatorHost } from './emulatorHost.ts';
import { LOOPBACK, type StackPorts } from './ports.ts';

/** The project of `npm start`. Emulators never call Google for a project whose id starts with `demo-`. */
export const PROJECT_ID = 'demo-tattoo';

/** The addresses of a local stack. */
export interface StackAddresses {
  readonly projectId: string;
  /** The base URL for apps: Hosting's address, ending in `/api`. */
  readonly baseAddress: string;
  /** The functions' own addresses: `${functionsAddress}/flash-listByArtist`. */
  readonly functionsAddress: string;
  /** `host:port` of the Auth emulator. */
  readonly authHost: string;
  /** `host:port` of the Firestore that the functions use. */
  readonly firestoreHost: string;
}

/** Returns the addresses of a stack on these ports. Its Firestore is the one of `FIRESTORE_EMULATOR_HOST`, or else the embedded one. */
export function getStackAddresses(projectId: string, ports: StackPorts): StackAddresses {
  return {
    projectId,
    baseAddress: `http://${LOOPBACK}:${ports.hosting}/api`,
    functionsAddress: `http://${LOOPBACK}:${ports.functions}/${projectId}/us-central1`,
    authHost: `${LOOPBACK}:${ports.auth}`,
    firestoreHost: getEmulatorHost() ?? `${LOOPBACK}:${ports.firestore}`,
  };
}
