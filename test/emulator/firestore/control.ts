import {
  Client,
  credentials,
  type handleUnaryCall,
  type MethodDefinition,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Databases } from './database.ts';
import type { Fault } from './faults.ts';
import type { RecordedQuery, Usage } from './meter.ts';

/** Controls the embedded Firestore from tests and benchmarks in any process. */
export interface Control {
  /** Empties all databases of the project and resets its usage. */
  reset(projectId: string): Promise<void>;
  /** The billable usage of the project since the start or the last reset. */
  usage(projectId: string): Promise<Usage>;
  /** The shapes of all queries since the start or the last reset. */
  queries(projectId: string): Promise<RecordedQuery[]>;
  /** Injects a fault into calls of the project. */
  inject(projectId: string, fault: Fault): Promise<void>;
  /** Removes all faults of the project. */
  heal(projectId: string): Promise<void>;
  close(): void;
}

interface ControlRequest {
  readonly projectId: string;
  readonly fault?: Fault;
}

const METHODS = {
  reset: method('Reset'),
  usage: method('Usage'),
  queries: method('Queries'),
  inject: method('Inject'),
  heal: method('Heal'),
};

/** The gRPC service of the control, with JSON messages. */
export const controlDefinition: ServiceDefinition = METHODS;

/** The implementation of the control service. */
export function controlService(databases: Databases): UntypedServiceImplementation {
  const unary =
    (
      handle: (projectId: string, fault?: Fault) => object | Promise<object>,
    ): handleUnaryCall<ControlRequest, object> =>
    ({ request }, callback) => {
      Promise.resolve(handle(request.projectId, request.fault)).then(
        (response) => {
          callback(null, response);
        },
        (error: unknown) => {
          callback(error as Error);
        },
      );
    };
  return {
    reset: unary(async (projectId) => {
      await databases.reset(projectId);
      return {};
    }),
    usage: unary((projectId) => databases.meterOf(projectId).usage()),
    queries: unary((projectId) => databases.meterOf(projectId).queries()),
    inject: unary((projectId, fault) => {
      if (fault !== undefined) databases.faultsOf(projectId).inject(fault);
      return {};
    }),
    heal: unary((projectId) => {
      databases.faultsOf(projectId).heal();
      return {};
    }),
  };
}

/**
 * Connects to the control service of an embedded Firestore (`host:port`). With any other Firestore all calls reject.
 */
export function connectToControl(address: string): Control {
  const client = new Client(address, credentials.createInsecure());
  const call = async (name: keyof typeof METHODS, projectId: string, fault?: Fault) =>
    new Promise<object>((resolve, reject) => {
      const { path, requestSerialize, responseDeserialize } = METHODS[name];
      client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        { projectId, ...(fault && { fault }) },
        (error, response) => {
          if (error) reject(new Error(`No embedded Firestore at ${address}: ${error.details}`));
          else resolve(response ?? {});
        },
      );
    });
  return {
    reset: async (projectId) => {
      await call('reset', projectId);
    },
    usage: async (projectId) => (await call('usage', projectId)) as Usage,
    queries: async (projectId) => (await call('queries', projectId)) as RecordedQuery[],
    inject: async (projectId, fault) => {
      await call('inject', projectId, fault);
    },
    heal: async (projectId) => {
      await call('heal', projectId);
    },
    close: () => {
      client.close();
    },
  };
}

function method(name: string): MethodDefinition<ControlRequest, object> {
  const serialize = (message: object) => Buffer.from(JSON.stringify(message));
  return {
    path: `/embedded.Control/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: serialize,
    requestDeserialize: (bytes) => JSON.parse(bytes.toString()) as ControlRequest,
    responseSerialize: serialize,
    responseDeserialize: (bytes) => JSON.parse(bytes.toString()) as object,
  };
}
