/** Keeps a long run small: every file leaves a large tree behind, and the engine would let hundreds of them lie. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const filesBetween = 24;

/** @returns to be called after each file of a long run; a short one is over before it matters */
export function createCollector(): () => void {
  let files = 0;
  let collect: (() => void) | undefined;
  return () => {
    files += 1;
    if (files % filesBetween !== 0) return;
    if (collect === undefined) {
      setFlagsFromString("--expose-gc");
      collect = runInNewContext("gc") as () => void;
    }
    collect();
  };
}
