/**
 * Loaded into a function's process before its own code (`node --import`). Sends the resource usage of the process over
 * plain TCP, because the service under test speaks HTTP.
 */
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;

/** The resource usage of a process. */
export interface ResourceUsage {
  /** Processor time since the start, in ms. */
  readonly processorMs: number;
  /** The longest delay of the event loop since the last measurement, in ms. */
  readonly pauseMs: number;
  /** The peak memory, in MiB: `VmHWM` of Linux. */
  readonly peakMiB: number;
}

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

createServer((socket) => {
  const { user, system } = process.cpuUsage();
  const usage: ResourceUsage = {
    processorMs: (user + system) / 1000,
    pauseMs: Math.max(0, delays.max / 1e6 - RESOLUTION_MS),
    peakMiB: process.resourceUsage().maxRSS / 1024,
  };
  delays.reset();
  socket.end(JSON.stringify(usage));
})
  .listen(Number(process.env.PROBE_PORT), '127.0.0.1')
  .unref();
