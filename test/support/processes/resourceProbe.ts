/**
 * Reports the resource usage of a function's process. `node --import` loads it before the function. It uses plain TCP, so
 * that it does not affect the HTTP server under test.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** The resource usage of a process. */
export interface ResourceUsage {
  /** Processor time since the start, in ms. */
  readonly processorMs: number;
  /** The peak memory, in MiB: `VmHWM` of Linux. (`maxRSS` starts at the value of the parent process.) */
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
