import { waitRefusals } from "#core/wait-refusals.ts";
import { AppError } from "#core/errors.ts";
import type { ThreadKind } from "#core/processes.ts";
import { startWorker } from "../capacity/start-thread.ts";
import type { RenderReply } from "./tasks.ts";
import { refusals } from "./refusals.ts";

export interface TaskTimeLimits {
  /** Milliseconds of CPU time that the worker may spend on a task. */
  cpu: number;
  /** Milliseconds that a task may take on a busy machine, with its time in a queue. */
  wall: number;
}

export interface WorkerThread {
  /**
   * Runs a task. The caller must wait for it before it runs another. Rejects with `unprocessable` beyond the task's CPU
   * time, and with `busy` when the machine was too slow to give it that time.
   * @param queuedAt the start of the task's time, in `performance.now()` milliseconds
   * @param pieces the number of pieces of the text: each has the CPU time of one task
   */
  run(ask: unknown, queuedAt?: number, pieces?: number): Promise<unknown>;
  /** Resolves when the worker takes tasks. */
  started(): Promise<void>;
  /** False once the worker was killed or ended. */
  readonly alive: boolean;
  close(): Promise<void>;
}

interface RunningTask {
  resolve(output: unknown): void;
  reject(error: Error): void;
}

/** The program of a worker, from source and built, and its limits. */
export interface WorkerKind {
  source: string;
  built: string;
  as: ThreadKind;
}

const textWorker: WorkerKind = { source: "./worker.ts", built: "./render-worker.js", as: "render" };

/** Finds the worker's file: beside the server's file in a build, or the TypeScript file in a run from source. */
function workerFile({ source, built }: WorkerKind): URL {
  return new URL(import.meta.url.endsWith(".ts") ? source : built, import.meta.url);
}

/** Starts a worker. An idle worker doesn't keep the process alive. */
export function startThread(deadline: TaskTimeLimits, kind: WorkerKind = textWorker): WorkerThread {
  const worker = startWorker(kind.as, workerFile(kind));
  let running: RunningTask | undefined;
  let alive = true;
  let spent = 0;
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);

  function settleTask(act: (task: RunningTask) => void): void {
    const task = running;
    running = undefined;
    if (task !== undefined) act(task);
  }

  function endThread(error: Error): void {
    alive = false;
    ready.reject(error);
    settleTask((task) => task.reject(error));
    void worker.terminate();
  }

  worker.on("message", (reply: RenderReply) => {
    spent = reply.cpu;
    if (reply.kind === "ready") ready.resolve();
    else settleTask((task) => finishTask(task, reply));
  });
  worker.on("error", (error: NodeJS.ErrnoException) => {
    endThread(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? overrunError("memory") : error);
  });
  worker.on("exit", () => endThread(new AppError("busy", refusals.stopped())));
  worker.unref();

  async function cpuSpent(): Promise<number> {
    const { user, system } = await worker.cpuUsage();
    return (user + system - spent) / 1000;
  }

  async function runTask(ask: unknown, queuedAt = performance.now(), pieces = 1): Promise<unknown> {
    const most = { cpu: deadline.cpu * pieces, wall: deadline.wall + deadline.cpu * (pieces - 1) };
    worker.ref();
    let timer: NodeJS.Timeout | undefined;
    const waited = performance.now() - queuedAt;
    try {
      await ready.promise;
      // the start of the worker doesn't count as time of the task
      const begun = performance.now() - waited;
      const outcome = new Promise<unknown>((resolve, reject) => {
        running = { resolve, reject };
      });
      timer = setInterval(() => {
        if (performance.now() - begun > most.wall) endThread(tooSlowError());
        else
          cpuSpent().then(
            (cpu) => cpu > most.cpu && running !== undefined && endThread(overrunError("time")),
            ignoreWorkerExit,
          );
      }, 50);
      worker.postMessage(ask);
      return await outcome;
    } finally {
      clearInterval(timer);
      worker.unref();
    }
  }

  return {
    run: runTask,
    started: () => ready.promise,
    get alive() {
      return alive;
    },
    close: async () => {
      alive = false;
      await worker.terminate();
    },
  };
}

/** Ignores an exit of the worker while its CPU time is read, because the exit event reports it. */
function ignoreWorkerExit(): void {}

function overrunError(what: "time" | "memory"): AppError {
  return new AppError("unprocessable", refusals.costlyText({ what }));
}

/** The error for a slow machine. The text may be fine, so the user can try again later. */
function tooSlowError(): AppError {
  return new AppError("busy", waitRefusals.busy(), { retryAfterSeconds: 5 });
}

function finishTask(task: RunningTask, reply: RenderReply): void {
  if (reply.kind === "done") task.resolve(reply.output);
  else if (reply.kind === "refused") task.reject(AppError.from(reply.error));
  else if (reply.kind === "broken") task.reject(new Error(reply.message));
}
