/**
 * Loaded into a function's process before its own code (`node --import`): tells a test what the process has needed.
 * By bare TCP, as what the service watches is HTTP.
 */
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;

/** What a process has needed. */
export interface Needs {
  /** Of processor time since its start, in ms. */
  readonly processorMs: number;
  /** The longest that its event loop stood still since it was asked last, in ms. */
  readonly pauseMs: number;
  /** The most memory it has had at a time, in MiB: `VmHWM` of Linux. */
  readonly peakMiB: number;
}

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

createServer((socket) => {
  const { user, system } = process.cpuUsage();
  const needs: Needs = {
    processorMs: (user + system) / 1000,
    pauseMs: Math.max(0, delays.max / 1e6 - RESOLUTION_MS),
    peakMiB: process.resourceUsage().maxRSS / 1024,
  };
  delays.reset();
  socket.end(JSON.stringify(needs));
})
  .listen(Number(process.env.PROBE_PORT), '127.0.0.1')
  .unref();
