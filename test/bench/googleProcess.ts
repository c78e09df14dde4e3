/** The process that simulates Google: see `google.ts`. */
import { startEmbeddedFirestore } from '../emulator/firestore/server.ts';
import { startGoogle, type Google } from '../emulator/google/google.ts';
import { PROJECT, USERS, type StandIn } from './google.ts';
import { startGrpcReplay } from './grpcReplay.ts';

const embedded = await startEmbeddedFirestore();
const address = { projectId: PROJECT, firestoreAddress: embedded.address };
const replaying = await startGoogle({ ...address, replays: true });
const exact = await startGoogle(address);
const grpc = await startGrpcReplay(embedded.address);

process.on('message', () => {
  const rest = [...replaying.requestCounts].filter(([what]) => what.startsWith('firestore.'));
  process.send?.(rest.reduce((sum, [, times]) => sum + times, grpc.calls()));
});
process.on('disconnect', () => process.exit());

process.send?.({
  firestoreAddress: embedded.address,
  replaying: told(replaying),
  exact: told(exact),
});

function told(google: Google): StandIn {
  const tokens = Object.fromEntries(USERS.map((uid) => [uid, google.tokenOf(uid)]));
  return {
    environment: { ...google.environment, ...grpc.environment },
    tokens: tokens as StandIn['tokens'],
  };
}
