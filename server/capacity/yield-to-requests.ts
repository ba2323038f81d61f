import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Lowers the priority of the calling thread, so that the thread that answers requests gets the processor first. Only Linux
 * has priorities of threads.
 * @param waiting what waits for the thread's work: a request, or nothing yet
 */
export function yieldToRequests(waiting: "request" | "nothing"): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, waiting === "request" ? PRIORITY_BELOW_NORMAL : PRIORITY_LOW);
  } catch {
    // as fast as everything else
  }
}
