/** Keeps a long run small: every file leaves a large tree behind, and the engine would let hundreds of them lie. */
import { Session } from "node:inspector";

const filesBetween = 24;

/** @returns to be called after each file of a long run; a short one is over before it matters */
export function createCollector(): () => void {
  let files = 0;
  let session: Session | undefined;
  return () => {
    files += 1;
    if (files % filesBetween !== 0) return;
    if (session === undefined) {
      session = new Session();
      session.connect();
    }
    session.post("HeapProfiler.collectGarbage");
  };
}
