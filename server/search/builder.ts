// Runs in a worker thread. Writes a new index file with the words of all SOPs of a company.
import { parentPort, workerData } from "node:worker_threads";
import { createIndexFile } from "./index-file.ts";
import type { BuilderAsk, BuilderReply } from "./rebuild.ts";
import { yieldToRequests } from "../capacity/yield-to-requests.ts";
import { isUnwritable } from "./unwritable.ts";

yieldToRequests("nothing");
const index = createIndexFile(String(workerData));

function runBuilderTask(ask: BuilderAsk): BuilderReply {
  try {
    if (ask.kind === "add") {
      index.transaction(() => ask.texts.forEach((text) => index.add(text)));
    } else {
      index.moveTo(ask.position);
      index.close();
    }
    return { error: null };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { error: message, isUnwritable: isUnwritable(error) };
  }
}

parentPort?.on("message", (ask: BuilderAsk) => parentPort?.postMessage(runBuilderTask(ask)));
