/** Keeps a long run small: every file leaves a large tree behind, and the engine would let hundreds of them lie. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const filesBetween = 64;

/** @returns to be called after each file; the first hundreds of files are not worth a collection */
export function createCollector(): () => void {
  let files = 0;
  let collect: (() => void) | undefined;
  return () => {
    files += 1;
    if (files < 8 * filesBetween || files % filesBetween !== 0) return;
    if (collect === undefined) {
      setFlagsFromString("--expose-gc");
      collect = runInNewContext("gc") as () => void;
    }
    collect();
  };
}
