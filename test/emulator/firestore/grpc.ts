import type {
  handleBidiStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServerDuplexStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Database, Databases } from './database.ts';
import type { ListenRequest, ListenResponse } from './messages.ts';
import type { Call } from './service.ts';
import { statusOf } from './status.ts';

/** The calls of the service over gRPC, and listening, which only gRPC has. */
export function grpcService(
  calls: Readonly<Record<string, Call>>,
  databases: Databases,
  definition: ServiceDefinition,
): UntypedServiceImplementation {
  const service: UntypedServiceImplementation = { Listen: listen(databases) };
  for (const [name, call] of Object.entries(calls)) {
    service[name] = definition[name]?.responseStream ? stream(call) : unary(call);
  }
  return service;
}

function unary(call: Call): handleUnaryCall<unknown, object> {
  return ({ request }, callback) => {
    lastOf(call(request)).then(
      (response) => {
        callback(null, response);
      },
      (error: unknown) => {
        callback(serviceError(error));
      },
    );
  };
}

/** Only a finished call has a result. */
async function lastOf(responses: AsyncIterable<object>): Promise<object> {
  let last: object = {};
  for await (const response of responses) last = response;
  return last;
}

function stream(call: Call): handleServerStreamingCall<unknown, object> {
  return (stream) => {
    const send = async () => {
      for await (const response of call(stream.request)) stream.write(response);
      stream.end();
    };
    send().catch((error: unknown) => stream.emit('error', serviceError(error)));
  };
}

function listen(databases: Databases): handleBidiStreamingCall<ListenRequest, ListenResponse> {
  return (call) => {
    call.once('data', (first: ListenRequest) => {
      call.pause();
      databases.of(first.database).then(
        (database) => {
          database.meter.called('Listen');
          connectListener(call, database, first);
        },
        (error: unknown) => call.emit('error', serviceError(error)),
      );
    });
  };
}

function connectListener(
  call: ServerDuplexStream<ListenRequest, ListenResponse>,
  { engine, meter }: Database,
  first: ListenRequest,
): void {
  const listener = engine.listen();
  listener.on('data', (response: ListenResponse) => {
    if (response.documentChange?.targetIds?.length) meter.documentsRead(1);
    call.write(response);
  });
  listener.on('error', (error) => call.emit('error', serviceError(error)));
  listener.on('end', () => {
    call.end();
  });
  call.on('cancelled', () => listener.destroy());
  call.on('end', () => listener.end());
  call.on('data', (request: ListenRequest) => listener.write(request));
  listener.write(first);
  call.resume();
}

/** An error in gRPC's format. */
function serviceError(error: unknown): {
  code: number;
  details: string;
  name: string;
  message: string;
} {
  const { code, message } = statusOf(error);
  return { code, details: message, name: 'Error', message };
}
