import type { Ask } from "./tasks.ts";
export interface Deadline {
  /** CPU the worker may spend on one task, in milliseconds. */
  cpu: number;
  /** Time one task may take on a busy machine, in milliseconds. */
  wall: number;
}
export interface Thread {
  /** Runs one task; the caller waits for it before the next. Rejects with `unprocessable` when the deadline passes. */
  run(ask: Ask): Promise<unknown>;
  /** False once the worker was killed or died; the pool then starts another. */
  readonly alive: boolean;
  close(): Promise<void>;
}
/** Starts one worker. It does not keep the process alive while it waits. */
export declare function startThread(deadline: Deadline): Thread;
