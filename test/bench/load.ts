import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ExampleRequest } from '../support/exampleRequests.ts';
import { onCoresOf } from './cores.ts';

/** What is to be sent to a port of this machine. */
export interface LoadRequest {
  readonly port: number;
  readonly example: ExampleRequest;
  readonly ms: number;
  /** How many callers send their next request when their last one is answered: a closed loop. */
  readonly callers?: number;
  /** How many requests come in a second, whether or not those before are answered: an open loop. */
  readonly perSecond?: number;
}

/** What came of it. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Latency in ms. */
  readonly p50: number;
  readonly p99: number;
}

/** Sends requests from a process of its own. */
export interface LoadGenerator {
  /** Rejects where a response is not 200. */
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

/** Starts a file of this folder on the cores of its part, with a channel for messages. It ends when we do. */
export function startPart(part: 'google' | 'load', file: string): ChildProcess {
  const [command = '', ...args] = [
    ...onCoresOf(part),
    ...[process.execPath, join(import.meta.dirname, file)],
  ];
  return spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}
