import { useMemo, useState } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { textNeeds, textSteps } from "../view/text-steps.ts";
import { keepRun, readRun, type Run } from "./run-state.ts";

type Shown = Pick<Sop, "id" | "version" | "content">;

/**
 * One run through the steps. Ticks belong to a version: when a newer one comes, the steps of the old one stay until the
 * user goes on. A new run begins before the first step with what one needs.
 * @param found the index of the step to open at, -1 without one
 */
export function useRun(latest: Shown, found: number) {
  const [shown, setShown] = useState(latest);
  const steps = useMemo(() => textSteps(shown.content), [shown.content]);
  const keys = useMemo(() => steps.map(({ id }) => id), [steps]);
  const [run, setRun] = useState<Run>(() => {
    const kept = readRun(latest.id);
    return kept && !isFinished(kept, latest.version, keys) ? kept : { version: latest.version, ticks: [] };
  });
  const done = useMemo(() => new Set(run.ticks), [run]);
  const firstOpen = keys.findIndex((key) => !done.has(key));
  const needs = useMemo(() => (keys.length === 0 ? "" : textNeeds(shown.content)), [keys, shown.content]);
  const begin = needs === "" ? 0 : -1;
  // the place after the last step is the end
  const [at, setAt] = useState(
    found >= 0 ? found : run.ticks.length === 0 ? begin : firstOpen < 0 ? keys.length : firstOpen,
  );
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set([at]));
  const goTo = (index: number) => {
    const next = Math.max(begin, Math.min(index, keys.length));
    setAt(next);
    setSeen(new Set([...seen, next]));
  };
  const keep = (next: Run) => {
    setRun(next);
    keepRun(latest.id, isFinished(next, shown.version, keys) ? null : next, keys.length);
  };
  return {
    steps,
    /** HTML of what one must wear, have and know: the screen before the first step. */
    needs,
    at,
    begin,
    /** Was each step shown or done, and what one needs shown? */
    isAllSeen: (begin === 0 || seen.has(begin)) && keys.every((key, index) => done.has(key) || seen.has(index)),
    isDone: (index: number) => done.has(keys[index] ?? ""),
    doneCount: keys.filter((key) => done.has(key)).length,
    goTo,
    tick(): void {
      const key = keys[at];
      if (key !== undefined) keep({ version: shown.version, ticks: [...new Set([...run.ticks, key])] });
      goTo(at + 1);
    },
    version: shown.version,
    /** A version that isn't the one of the ticks. */
    newer:
      latest.version !== shown.version || (run.version !== latest.version && run.ticks.length > 0)
        ? { from: run.ticks.length > 0 ? run.version : shown.version, to: latest.version }
        : null,
    /** With the latest version: ticks of unchanged steps stay, or none. */
    goOn(withTicks: boolean): void {
      const latestKeys = textSteps(latest.content).map(({ id }) => id);
      const still = withTicks ? latestKeys.filter((key) => done.has(key)) : [];
      setShown(latest);
      keep({ version: latest.version, ticks: still });
      const open = latestKeys.findIndex((key) => !still.includes(key));
      const place = still.length === 0 && textNeeds(latest.content) !== "" ? -1 : open < 0 ? latestKeys.length : open;
      setAt(place);
      setSeen(new Set([place]));
    },
    restart(): void {
      keep({ version: shown.version, ticks: [] });
      setAt(begin);
    },
  };
}

/** The next opening begins a run. */
const isFinished = (run: Run, version: number, keys: readonly string[]): boolean =>
  run.version === version && keys.every((key) => run.ticks.includes(key));

export type StepsRun = ReturnType<typeof useRun>;
