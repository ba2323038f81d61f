/** Keeps a long run small: every file leaves a large tree behind, and the engine would let hundreds of them lie. */
import { Session } from "node:inspector";
import { getHeapStatistics } from "node:v8";

/** Garbage allowed before a collection, in bytes: fewer collections for a larger heap. */
const litter = 24 * 1024 * 1024;

/** @returns a function to call after each file, or work of that size; it checks the heap of its own thread */
export function createCollector(): () => void {
  let session: Session | undefined;
  let baseline: number | null = null;
  return () => {
    // the engine collects after the call that asks for it: what was kept is seen at the next
    baseline ??= used();
    if (used() - baseline < litter) return;
    if (session === undefined) {
      session = new Session();
      session.connect();
    }
    session.post("HeapProfiler.collectGarbage");
    baseline = null;
  };
}

function used(): number {
  return getHeapStatistics().used_heap_size;
}
