/**
 * Loaded into a function's process before its own code (`node --import`). Sends the resource usage of the process over
 * plain TCP, because the service under test speaks HTTP.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** The resource usage of a process. */
export interface ResourceUsage {
  /** Processor time since the start, in ms. */
  readonly processorMs: number;
  /** The peak memory, in MiB: `VmHWM` of Linux. (`maxRSS` begins with that of the process that started this one.) */
  readonly peakMiB: number;
}

createServer((socket) => {
  const { user, system } = process.cpuUsage();
  const usage: ResourceUsage = {
    processorMs: (user + system) / 1000,
    peakMiB: Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024,
  };
  socket.end(JSON.stringify(usage));
})
  .listen(Number(process.env.PROBE_PORT), '127.0.0.1')
  .unref();
