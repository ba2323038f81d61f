import { useMemo, useState } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { textSteps } from "../view/text-steps.ts";
import { keepRun, keysOf, readRun, type Run } from "./run-state.ts";

type Shown = Pick<Sop, "id" | "version" | "content">;

/**
 * One run through the steps. Ticks belong to a version: when a newer one comes, the steps of the old one stay until the
 * user goes on.
 */
export function useRun(latest: Shown) {
  const [shown, setShown] = useState(latest);
  const steps = useMemo(() => textSteps(shown.content), [shown.content]);
  const keys = useMemo(() => keysOf(steps), [steps]);
  const [run, setRun] = useState<Run>(() => {
    const kept = readRun(latest.id);
    return kept && !isFinished(kept, latest.version, keys) ? kept : { version: latest.version, done: [] };
  });
  const done = useMemo(() => new Set(run.done), [run]);
  const firstOpen = keys.findIndex((key) => !done.has(key));
  // the place after the last step is the end
  const [at, setAt] = useState(firstOpen < 0 ? keys.length : firstOpen);
  const keep = (next: Run) => {
    setRun(next);
    keepRun(latest.id, isFinished(next, shown.version, keys) ? null : next, keys.length);
  };
  return {
    steps,
    at,
    isDone: (index: number) => done.has(keys[index] ?? ""),
    doneCount: keys.filter((key) => done.has(key)).length,
    goTo: (index: number) => setAt(Math.max(0, Math.min(index, keys.length))),
    tick(): void {
      const key = keys[at];
      if (key === undefined) return;
      keep({ version: shown.version, done: [...new Set([...run.done, key])] });
      setAt(at + 1);
    },
    version: shown.version,
    /** A version that isn't the one of the ticks. */
    newer:
      latest.version !== shown.version || (run.version !== latest.version && run.done.length > 0)
        ? { from: run.done.length > 0 ? run.version : shown.version, to: latest.version }
        : null,
    /** With the latest version: ticks of unchanged steps stay, or none. */
    goOn(withTicks: boolean): void {
      const latestKeys = keysOf(textSteps(latest.content));
      const still = withTicks ? latestKeys.filter((key) => done.has(key)) : [];
      setShown(latest);
      keep({ version: latest.version, done: still });
      const open = latestKeys.findIndex((key) => !still.includes(key));
      setAt(open < 0 ? latestKeys.length : open);
    },
    restart(): void {
      keep({ version: shown.version, done: [] });
      setAt(0);
    },
  };
}

/** The next opening begins a run. */
const isFinished = (run: Run, version: number, keys: readonly string[]): boolean =>
  run.version === version && keys.every((key) => run.done.includes(key));

export type StepsRun = ReturnType<typeof useRun>;
