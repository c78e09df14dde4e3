import type { DemoTarget } from '../demo/writeDemoData.ts';
import { getEmulatorHost } from './emulatorHost.ts';
import { LOOPBACK, type StackPorts } from './ports.ts';

/** The project of `npm start`. Emulators never call Google for a project whose id starts with `demo-`. */
export const PROJECT_ID = 'demo-tattoo';

/** The addresses of a local stack. */
export interface StackAddresses extends DemoTarget {
  /** The functions' own addresses: `${functionsAddress}/flash-listByArtist`. */
  readonly functionsAddress: string;
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
