import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ExampleRequest } from '../support/exampleRequests.ts';
import { onCoresOf } from './cores.ts';

/** The requests to send to a local port. */
export interface LoadRequest {
  readonly port: number;
  readonly example: ExampleRequest;
  readonly ms: number;
  /** The number of concurrent callers, each of which sends its next request after the last response: a closed loop. */
  readonly callers?: number;
  /** Requests per second, sent without waiting for earlier responses: an open loop. */
  readonly perSecond?: number;
}

/** The measurements. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Latency in ms. */
  readonly p50: number;
  readonly p99: number;
}

/** Sends requests from a separate process. */
export interface LoadGenerator {
  /** Rejects if a response is not 200. */
  run(load: LoadRequest): Promise<LoadResult>;
  stop(): void;
}

/** Starts the process that sends requests. */
export function startLoadGenerator(): LoadGenerator {
  const child = startPart('load', 'loadProcess.ts');
  return {
    run: async (load) => {
      child.send(load);
      const [result] = (await once(child, 'message')) as [LoadResult | { error: string }];
      if ('error' in result) throw new Error(`${load.example.path}: ${result.error}`);
      return result;
    },
    stop: () => child.kill(),
  };
}

/** Starts a file of this folder on the cores of its part, with a message channel. The process ends with this one. */
export function startPart(part: 'google' | 'load', file: string): ChildProcess {
  const [command = '', ...args] = [
    ...onCoresOf(part),
    ...[process.execPath, join(import.meta.dirname, file)],
  ];
  return spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}
