import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** Has the calling thread wait where requests want the processor. Linux alone knows priorities of threads. */
export function yieldToRequests(): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (thread !== process.pid) setPriority(thread, constants.priority.PRIORITY_LOW);
  } catch {
    // as fast as everything else
  }
}
