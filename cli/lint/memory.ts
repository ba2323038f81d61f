/**
 * Limits the memory of a long run. Each file leaves a large syntax tree, and Node by itself would collect this garbage
 * too late.
 */
import { Session } from "node:inspector";
import { getHeapStatistics } from "node:v8";

/** The bytes of garbage allowed before a collection. A larger value means fewer collections and a larger heap. */
const garbageBytesAllowed = 24 * 1024 * 1024;

/** @returns a function to call after each file; it checks the heap of the calling thread */
export function createGarbageCollector(): () => void {
  let session: Session | undefined;
  let baseline: number | null = null;
  return () => {
    // Node collects garbage after this call, so the next call measures the memory that is still in use.
    baseline ??= usedHeapBytes();
    if (usedHeapBytes() - baseline < garbageBytesAllowed) return;
    if (session === undefined) {
      session = new Session();
      session.connect();
    }
    session.post("HeapProfiler.collectGarbage");
    baseline = null;
  };
}

function usedHeapBytes(): number {
  return getHeapStatistics().used_heap_size;
}
