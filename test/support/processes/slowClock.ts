/**
 * Slows the clock of a function's process by `CLOCK_SLOWDOWN`, so that its timeouts are longer by this factor: measurements of
 * memory then do not depend on the speed of the machine. `node --import` loads it before the function.
 */
const slowdown = Number(process.env.CLOCK_SLOWDOWN ?? 1);

const { setTimeout: setRealTimeout } = globalThis;
const getRealTime = performance.now.bind(performance);

globalThis.setTimeout = ((callback: () => void, delayMs = 0, ...args: []) =>
  setRealTimeout(callback, delayMs * slowdown, ...args)) as typeof setTimeout;
performance.now = () => getRealTime() / slowdown;

export {};
