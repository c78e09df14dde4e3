/** Loaded into a program before its own code: measures the longest pause of its event loop since its first request. */
const { subscribe } = process.getBuiltinModule('node:diagnostics_channel');
const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');

const delay = monitorEventLoopDelay({ resolution: 1 });
subscribe('http.server.request.start', () => delay.enable());
process.on('message', () => process.send(delay.max / 1e6));
