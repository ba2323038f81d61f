import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * The priority (niceness) of threads below the request thread. They get a third of the processor while that thread is
 * busy; with `PRIORITY_BELOW_NORMAL`, they would get a tenth.
 */
export const belowRequests = 5;

/**
 * Lowers the priority of the calling thread, so that the thread that answers requests gets the processor first. Only
 * Linux has priorities of threads.
 * @param waiting "request" if a request waits for the thread's work
 */
export function yieldToRequests(waiting: "request" | "nothing"): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, waiting === "request" ? belowRequests : constants.priority.PRIORITY_LOW);
  } catch {
    // the thread keeps its normal priority
  }
}

/**
 * Lowers the priority of a process that this server started. The process gets a tenth of the processor while the
 * request thread is busy.
 */
export function lowerPriority({ pid }: { pid?: number | undefined }): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // the process has ended already
  }
}
