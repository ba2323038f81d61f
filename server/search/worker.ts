// Runs in a worker thread: answers questions from the indexes, and keeps them up to date.
import { parentPort } from "node:worker_threads";
import type { SearchAsk } from "./tasks.ts";
import { answer } from "./thread-work.ts";

parentPort?.on("message", (ask: SearchAsk) => {
  void answer(ask).then((reply) => parentPort?.postMessage(reply));
});
