// Runs in a worker thread. Answers queries from the indexes, and keeps them up to date.
import { parentPort } from "node:worker_threads";
import type { SearchAsk } from "./tasks.ts";
import { runSearchTask } from "./thread-work.ts";

parentPort?.on("message", (ask: SearchAsk) => {
  void runSearchTask(ask).then((reply) => parentPort?.postMessage(reply));
});
