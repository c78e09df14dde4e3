import type { StackPorts } from './ports.ts';

/** Options of a local stack. */
export interface StackOptions {
  /** Starts with `demo-`, so that no emulator ever calls a real project. */
  readonly projectId: string;
  readonly ports: StackPorts;
  /**
   * True to serve `functions/lib`, and to rebuild it after each change of the source. False to serve a separate build, which
   * does not change.
   */
  readonly watch: boolean;
  /** Aborts the start. */
  readonly signal: AbortSignal;
  /** Receives a sentence about each step. */
  readonly onStep: (step: string) => void;
  /** Receives the output of the emulators after they are ready, including the logs of the functions. */
  readonly onLog: (line: string) => void;
}

/** Registers a cleanup function. All of them run in reverse order when the stack stops. */
export type OnStop = (stop: () => Promise<unknown>) => void;
