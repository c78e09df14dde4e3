/** The Firestore emulator that the variable FIRESTORE_EMULATOR_HOST names. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { formatError } from './formatError.ts';

const VARIABLE = 'FIRESTORE_EMULATOR_HOST';

const CONNECT_TIMEOUT_MS = 5_000;

/** Reads the variable; undefined if it is unset or empty. */
export function getEmulatorHost(): string | undefined {
  const address = process.env[VARIABLE];
  return address === '' ? undefined : address;
}

/** Throws if the variable is not `host:port`, or if nothing accepts connections there. */
export async function assertEmulatorReachable(): Promise<void> {
  const address = getEmulatorHost();
  if (address === undefined) return;
  const { hostname, port } = parseAddress(address);
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  const socket = connect({ host: hostname, port, signal });
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    const reason = signal.aborted
      ? `no connection in ${CONNECT_TIMEOUT_MS} ms`
      : formatError(error);
    throw new Error(
      `${VARIABLE}=${address} cannot be reached: ${reason}. Start that emulator, or unset the variable.`,
      { cause: error },
    );
  } finally {
    socket.destroy();
  }
}

function parseAddress(address: string): { hostname: string; port: number } {
  const url = URL.parse(`http://${address}`);
  if (url?.host !== address.toLowerCase() || url.port === '') {
    throw new Error(`${VARIABLE}=${address} is invalid: it must be host:port, without a scheme.`);
  }
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) };
}
