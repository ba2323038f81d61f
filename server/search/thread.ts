/** Calls the search thread from the event loop. The thread starts with the first query, and again after it ended. */
import type { Worker } from "node:worker_threads";
import { AppError } from "#core/errors.ts";
import { startWorker } from "../capacity/start-thread.ts";
import type { SearchAsk, SearchReply, SearchTask, SearchTasks } from "./tasks.ts";
import { UnwritableIndexError } from "./unwritable.ts";
import { refusals } from "./refusals.ts";

export interface SearchThread {
  /** @throws DamagedIndexError if the file can't be used, AppError `busy` if the thread stops */
  run<Name extends SearchTask>(
    task: Name,
    path: string,
    input: SearchTasks[Name]["input"],
  ): Promise<SearchTasks[Name]["output"]>;
  close(): Promise<void>;
}

export class DamagedIndexError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DamagedIndexError";
  }
}

const failures = {
  damaged: (message: string) => new DamagedIndexError(message),
  unwritable: (message: string) => new UnwritableIndexError(message),
  broken: (message: string) => new Error(message),
};

/** Finds the worker's file: beside the server's file in a build, or the TypeScript file in a run from source. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./search-worker.js", import.meta.url);
}

export function createSearchThread(): SearchThread {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let worker: Worker | undefined;
  let count = 0;
  let closed = false;

  function startedWorker(): Worker {
    if (worker) return worker;
    const own = startWorker("search", workerFile());
    const endWorker = (error: Error) => {
      if (worker !== own) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    own.on("message", settleCall);
    own.on("error", endWorker);
    own.on("exit", () => endWorker(new AppError("busy", refusals.stopped())));
    own.unref();
    return (worker = own);
  }

  function settleCall(reply: SearchReply): void {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) worker?.unref();
    if (reply.kind === "done") call?.resolve(reply.output);
    else call?.reject(failures[reply.kind](reply.message));
  }

  return {
    run<Name extends SearchTask>(task: Name, path: string, input: SearchTasks[Name]["input"]) {
      if (closed) return Promise.reject(new AppError("busy", refusals.stopping()));
      const thread = startedWorker();
      const call = Promise.withResolvers<unknown>();
      const id = ++count;
      waiting.set(id, call);
      thread.ref();
      thread.postMessage({ id, task, path, input } satisfies SearchAsk<Name>);
      return call.promise as Promise<SearchTasks[Name]["output"]>;
    },
    async close() {
      closed = true;
      await worker?.terminate();
    },
  };
}
