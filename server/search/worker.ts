// Runs in a worker thread: counts the words of all SOPs of a company into a new index file.
import { parentPort, workerData } from "node:worker_threads";
import { createIndexFile } from "./index-file.ts";
import type { BuilderAsk, BuilderReply } from "./rebuild.ts";
import { yieldToRequests } from "./yield-to-requests.ts";

yieldToRequests();
const index = createIndexFile(String(workerData));

function work(ask: BuilderAsk): BuilderReply {
  try {
    if (ask.kind === "add") {
      index.add(ask.texts);
    } else {
      index.finish(ask.position);
      index.close();
    }
    return { error: null };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (ask: BuilderAsk) => parentPort?.postMessage(work(ask)));
