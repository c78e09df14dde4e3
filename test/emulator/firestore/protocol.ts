import type { ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import protobuf from 'protobufjs';

const SERVICE = 'google.firestore.v1.Firestore';

/** The message types of a call. */
export interface CallTypes {
  readonly request: protobuf.Type;
  readonly response: protobuf.Type;
}

// Both are slow to build, and the same for every server.
let definition: ServiceDefinition | undefined;
let types: ReadonlyMap<string, CallTypes> | undefined;

/** The service's gRPC definition, as shipped with the Admin SDK. */
export function grpcDefinition(): ServiceDefinition {
  definition ??= fromJSON(protocol(), {
    longs: String,
    enums: String,
    oneofs: true,
    defaults: false,
  })[SERVICE] as ServiceDefinition;
  return definition;
}

/** The message types of each call by name. */
export function callTypes(): ReadonlyMap<string, CallTypes> {
  types ??= resolvedTypes();
  return types;
}

function resolvedTypes(): ReadonlyMap<string, CallTypes> {
  const root = protobuf.Root.fromJSON(protocol());
  root.resolveAll();
  return new Map(
    root.lookupService(SERVICE).methodsArray.map((method) => {
      method.resolve();
      const { resolvedRequestType: request, resolvedResponseType: response } = method;
      if (!request || !response)
        throw new Error(`The message types of ${method.name} are unknown.`);
      return [method.name, { request, response }];
    }),
  );
}

function protocol(): protobuf.INamespace {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  const file = resolve('@google-cloud/firestore/build/protos/v1.json');
  return JSON.parse(readFileSync(file, 'utf8')) as protobuf.INamespace;
}
