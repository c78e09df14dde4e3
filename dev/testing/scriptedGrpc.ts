import { loadFirestoreGrpc } from '../google/firestoreGrpc.ts';

const grpc = loadFirestoreGrpc();

/** The numbers of gRPC's statuses. */
const STATUSES = {
  OK: 0,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNAVAILABLE: 14,
} as const;

/** How a response ends: with a status, or because the connection is closed. */
export type Ending = keyof typeof STATUSES | 'CLOSED';

/** A response: its messages, as Firestore's REST API writes them, and how it ends (without it: `OK`). */
interface GrpcResponse {
  readonly messages?: readonly object[];
  readonly ending?: Ending;
}

/** Starts a Firestore over gRPC, without TLS; `respond` gets the request and how many there were before. */
export async function startScriptedGrpc(respond: (request: object, n: number) => GrpcResponse) {
  let calls = 0;
  return grpc.start((method, request) => {
    const { messages = [], ending = 'OK' } = respond(request, calls++);
    const end = ending === 'CLOSED' ? ending : STATUSES[ending];
    return Promise.resolve([grpc.encode(method, messages), end]);
  });
}
