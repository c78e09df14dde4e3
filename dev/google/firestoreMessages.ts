import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../root.ts';

/** The prefix of a message: a compression flag and the length. */
const PREFIX_BYTES = 5;

/** The parts of the Admin SDK's own copy of google-gax that convert messages. */
interface Gax {
  readonly protobuf: {
    readonly Root: { fromJSON(json: unknown): { lookupType(name: string): Type } };
  };
  readonly serializer: {
    toProto3JSON(message: object): object;
    fromProto3JSON(type: Type, json: object): object;
  };
}

interface Type {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
}

/** Converts Firestore's messages over gRPC from and to the JSON that its REST API uses. */
export interface FirestoreMessages {
  /** The request of a method (`RunQuery`), from the body of an HTTP/2 stream. */
  readonly decodeRequest: (method: string, body: Buffer) => object;
  /** A response to a method, for the body of an HTTP/2 stream. */
  readonly encodeResponse: (method: string, json: object) => Buffer;
}

/** Loads the types of Firestore's messages from the Admin SDK's own packages. */
export function loadFirestoreMessages(): FirestoreMessages {
  const admin = createRequire(createRequire(join(ROOT, 'package.json')).resolve('firebase-admin'));
  const firestore = createRequire(admin.resolve('@google-cloud/firestore/package.json'));
  const { protobuf, serializer } = firestore('google-gax') as Gax;
  const types = protobuf.Root.fromJSON(firestore('./build/protos/v1.json'));
  const typeOf = (name: string) => types.lookupType(`google.firestore.v1.${name}`);
  return {
    decodeRequest: (method, body) =>
      serializer.toProto3JSON(typeOf(`${method}Request`).decode(body.subarray(PREFIX_BYTES))),
    encodeResponse: (method, json) => {
      const type = typeOf(`${method}Response`);
      const message = type.encode(serializer.fromProto3JSON(type, json)).finish();
      const prefix = Buffer.alloc(PREFIX_BYTES);
      prefix.writeUInt32BE(message.length, 1);
      return Buffer.concat([prefix, message]);
    },
  };
}
