import type { StackPorts } from './ports.ts';

/** Options of a local stack. */
export interface StackOptions {
  /** Starts with `demo-`, so that no emulator ever calls a real project. */
  readonly projectId: string;
  readonly ports: StackPorts;
  /**
   * Whether to serve `functions/lib` and rebuild it after each change of the source. Otherwise the stack serves a
   * separate build that does not change.
   */
  readonly watch: boolean;
  /** Aborts the start. */
  readonly signal: AbortSignal;
  /** Gets a sentence about each step. */
  readonly onStep: (step: string) => void;
  /** Gets the output of the emulators after they are ready, including the functions' logs. */
  readonly onLog: (line: string) => void;
}

/** Takes what stops a part of the stack. */
export type OnStop = (stop: () => Promise<unknown>) => void;
