import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { fromProto3JSON, toProto3JSON } from 'proto3-json-serializer';
import protobuf from 'protobufjs';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** An answer of the REST interface. */
export interface RestAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** Firestore's REST interface (https://firebase.google.com/docs/firestore/reference/rest) in front of a gRPC one. */
export interface FirestoreRest {
  /** Answers `POST path` with a body of JSON; undefined where there is no such call. */
  answer(path: string, body: string): Promise<RestAnswer | undefined>;
  close(): void;
}

/** Which field of its request the resource in the path of a call is. */
const RESOURCES: Readonly<Record<string, 'database' | 'parent'>> = {
  runQuery: 'parent',
  runAggregationQuery: 'parent',
  batchGet: 'database',
  beginTransaction: 'database',
  commit: 'database',
  rollback: 'database',
  batchWrite: 'database',
};

/** What a gRPC code is in HTTP (https://cloud.google.com/apis/design/errors#handling_errors). */
const HTTP_STATUSES: Readonly<Record<number, number>> = {
  3: 400,
  4: 504,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  14: 503,
  16: 401,
};

/** Speaks REST for a Firestore that speaks gRPC at `host:port`. */
export function firestoreRest(address: string): FirestoreRest {
  const root = firestoreRoot();
  const service = root.lookupService('google.firestore.v1.Firestore');
  const client = new Client(address, credentials.createInsecure());

  async function call(name: string, request: Buffer): Promise<Buffer[]> {
    const method = service.methods[name];
    const path = `/google.firestore.v1.Firestore/${name}`;
    if (!method?.responseStream) {
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(path, same, same, request, (error, response) => {
          if (error) reject(error);
          else resolve(response === undefined ? [] : [response]);
        });
      });
    }
    return Array.fromAsync(
      client.makeServerStreamRequest(path, same, same, request) as AsyncIterable<Buffer>,
    );
  }

  return {
    answer: async (path, body) => {
      const [, database = '', documents = '', word = ''] =
        /^\/v1\/(projects\/[^/]+\/databases\/[^/]+)(\/documents[^:]*):(\w+)$/.exec(path) ?? [];
      const resource = RESOURCES[word];
      if (resource === undefined) return undefined;
      const name = word === 'batchGet' ? 'BatchGetDocuments' : capitalized(word);
      const method = service.methods[name];
      if (method === undefined) return undefined;
      const Request = root.lookupType(`google.firestore.v1.${method.requestType}`);
      const Response = root.lookupType(`google.firestore.v1.${method.responseType}`);
      const parsed = JSON.parse(body === '' ? '{}' : body) as Record<string, string>;
      parsed[resource] = decodeURIComponent(
        resource === 'parent' ? database + documents : database,
      );
      const request = fromProto3JSON(Request, parsed);
      if (request === null) return undefined;
      try {
        const responses = await call(name, Buffer.from(Request.encode(request).finish()));
        const json = responses.map((bytes) => toProto3JSON(Response.decode(bytes)));
        return answerOf(200, method.responseStream ? json : json[0]);
      } catch (error) {
        const { code, details } = error as ServiceError;
        const status = HTTP_STATUSES[code] ?? 500;
        const fault = { error: { code: status, message: details, status: statusName(code) } };
        return answerOf(status, method.responseStream ? [fault] : fault);
      }
    },
    close: () => {
      client.close();
    },
  };
}

function firestoreRoot(): protobuf.Root {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  const file = resolve('@google-cloud/firestore/build/protos/v1.json');
  const root = protobuf.Root.fromJSON(
    JSON.parse(readFileSync(file, 'utf8')) as protobuf.INamespace,
  );
  root.resolveAll();
  return root;
}

function statusName(code: number): string {
  const names = [
    'OK',
    'CANCELLED',
    'UNKNOWN',
    'INVALID_ARGUMENT',
    'DEADLINE_EXCEEDED',
    'NOT_FOUND',
  ];
  const others = [
    'ALREADY_EXISTS',
    'PERMISSION_DENIED',
    'RESOURCE_EXHAUSTED',
    'FAILED_PRECONDITION',
  ];
  const last = ['ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS'];
  return [...names, ...others, ...last, 'UNAUTHENTICATED'][code] ?? 'UNKNOWN';
}

function answerOf(status: number, json: unknown): RestAnswer {
  return { status, body: Buffer.from(JSON.stringify(json ?? {})) };
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function same(bytes: Buffer): Buffer {
  return bytes;
}
