/** Counts the assets and texts of a ledger that are still in memory, by garbage collection and not by size or time. */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Ledger } from "../ledger.ts";

export interface CountingLedger extends Ledger {
  /** The maximum number of assets and texts that were in memory at once, including the latest read. */
  readonly most: { assets: number; texts: number };
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Each call of `asset` and `files` first counts what earlier calls left in memory. */
export function countingLedger(ledger: Ledger): CountingLedger {
  const most = { assets: 0, texts: 0 };
  const given: Record<keyof typeof most, WeakRef<Uint8Array>[]> = { assets: [], texts: [] };
  const count = async (kind: keyof typeof most, more: number): Promise<void> => {
    await setImmediate();
    collectGarbage();
    given[kind] = given[kind].filter((bytes) => bytes.deref() !== undefined);
    most[kind] = Math.max(most[kind], given[kind].length + more);
  };
  // the ledger in memory keeps its own bytes
  const copy = (kind: keyof typeof most, bytes: Uint8Array | null): Uint8Array | null => {
    if (bytes === null) return null;
    const copied = Uint8Array.from(bytes);
    given[kind].push(new WeakRef(copied));
    return copied;
  };
  return {
    ...ledger,
    most,
    async files(companyId, versions) {
      await count("texts", versions.length);
      return (await ledger.files(companyId, versions)).map((bytes) => copy("texts", bytes));
    },
    async asset(companyId, sha256) {
      await count("assets", 1);
      return copy("assets", await ledger.asset(companyId, sha256));
    },
  };
}
