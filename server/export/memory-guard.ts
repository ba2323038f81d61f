// Ends its own process if the process uses too much memory. Heap limits don't count native memory, and not every system
// has cgroups.
import { parentPort, workerData } from "node:worker_threads";
import { memorySignal } from "#core/export/printing.ts";

const { megabytes } = workerData as { megabytes: number };

setInterval(() => {
  if (process.memoryUsage.rss() > megabytes * 2 ** 20) process.kill(process.pid, memorySignal);
}, 20);
parentPort?.postMessage("on");
