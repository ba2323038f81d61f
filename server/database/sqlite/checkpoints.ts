/** Keeps SQLite's write-ahead log short: a worker thread moves it into the database file some time after commits. */
import type { Worker } from "node:worker_threads";
import { startWorker } from "../../capacity/start-thread.ts";

const pauseMs = 2_000;

/** Returns the worker's file: JavaScript next to the server's bundle, or TypeScript when run from source. */
function workerFile(): URL {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./checkpoint-worker.${ending}`, import.meta.url);
}

export class Checkpoints {
  readonly #file: string;
  #worker: Worker | null = null;
  #waiting: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isDue = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Schedules a checkpoint. Call after each commit. */
  schedule(): void {
    this.#isDue = true;
    if (this.#waiting !== null || this.#running !== null) return;
    this.#waiting = setTimeout(() => {
      this.#waiting = null;
      this.#isDue = false;
      this.#running = this.#checkpoint().finally(() => {
        this.#running = null;
        if (this.#isDue) this.schedule();
      });
    }, pauseMs);
    this.#waiting.unref();
  }

  async close(): Promise<void> {
    if (this.#waiting !== null) clearTimeout(this.#waiting);
    await this.#running;
    if (this.#waiting !== null) clearTimeout(this.#waiting);
    await this.#worker?.terminate();
    this.#worker = null;
  }

  /**
   * Moves the log into the database file. The log keeps its pages after a failure, and the next commit causes another
   * try.
   */
  #checkpoint(): Promise<void> {
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve) => {
      const finishCheckpoint = () => {
        worker.off("message", finishCheckpoint);
        worker.off("exit", finishCheckpoint);
        resolve();
      };
      worker.once("message", finishCheckpoint);
      worker.once("exit", finishCheckpoint);
      worker.postMessage("checkpoint");
    });
  }

  #start(): Worker {
    const worker = startWorker("checkpoint", workerFile(), { file: this.#file });
    worker.unref();
    worker.once("error", () => undefined);
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }
}
