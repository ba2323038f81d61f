import { useMemo, useState } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { leftOutTextOf, needsHtmlOf, stepsOfText, type TextStep } from "../view/text-steps.ts";
import { storeTicks, readTicks, type StepTicks } from "./run-state.ts";

type SopOnScreen = Pick<Sop, "id" | "version" | "content" | "description">;

/**
 * Keeps the state of a run through the steps of a version. If a newer version appears, the old steps stay on screen
 * until the user continues. A new run begins with the screen before the first step.
 * @param found the index of the step to open at, or -1
 * @param userId the user whose ticks are kept
 */
export function useStepsRun(latest: SopOnScreen, found: number, userId: string) {
  const [shown, setShown] = useState(latest);
  const steps = useMemo(() => stepsOfText(shown.content), [shown.content]);
  const keys = useMemo(() => steps.map(stepKeyOf), [steps]);
  const [run, setRun] = useState<StepTicks>(() => {
    const kept = readTicks(userId, latest.id);
    return kept && !isFinished(kept, latest.version, keys) ? kept : { version: latest.version, ticks: [] };
  });
  const done = useMemo(() => new Set(run.ticks), [run]);
  const firstOpen = keys.findIndex((key) => !done.has(key));
  const needs = useMemo(() => (keys.length === 0 ? "" : needsHtmlOf(shown.content, shown.description)), [keys, shown]);
  const leftOut = useMemo(() => leftOutTextOf(shown.content, shown.description), [shown]);
  const [hasOpenedLeftOut, setOpenedLeftOut] = useState(false);
  const begin = needs === "" ? 0 : -1;
  // The index after the last step stands for the end of the run.
  const [at, setAt] = useState(
    found >= 0 ? found : !keys.some((key) => done.has(key)) ? begin : firstOpen < 0 ? keys.length : firstOpen,
  );
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set([at]));
  const goTo = (index: number) => {
    const next = Math.max(begin, Math.min(index, keys.length));
    setAt(next);
    setSeen(new Set([...seen, next]));
  };
  const keepTicks = (next: StepTicks) => {
    setRun(next);
    storeTicks(userId, latest.id, isFinished(next, shown.version, keys) ? null : next, keys.length);
  };
  return {
    steps,
    /** The HTML of the screen before the first step, which says what to wear, have and know. */
    needs,
    /**
     * The index of the step on screen: -1 for the screen before the first step, the number of steps for the end screen.
     */
    at,
    /** The index of the first screen: -1 if there is a screen before the first step, otherwise 0. */
    begin,
    /**
     * True if each screen of this version was shown. A ticked step was shown with the same words, perhaps in an earlier
     * version.
     */
    isAllSeen: (begin === 0 || seen.has(begin)) && keys.every((key, index) => done.has(key) || seen.has(index)),
    /**
     * The text that neither the steps nor the screen before them show. The first and the last screen offer this text.
     */
    leftOut,
    isLeftOutSeen: hasOpenedLeftOut || leftOut.html === "",
    openLeftOut: () => setOpenedLeftOut(true),
    isDone: (index: number) => done.has(keys[index] ?? ""),
    doneCount: keys.filter((key) => done.has(key)).length,
    goTo,
    /**
     * Ticks the step on screen and goes to the next screen. Before the first step, goes to the first step that isn't
     * ticked.
     */
    tick(): void {
      const key = keys[at];
      if (key !== undefined) keepTicks({ version: shown.version, ticks: [...new Set([...run.ticks, key])] });
      goTo(at < 0 && firstOpen >= 0 ? firstOpen : at + 1);
    },
    version: shown.version,
    /** The versions to mention if the latest one isn't the one that was ticked; otherwise null. */
    newer:
      latest.version !== shown.version || (run.version !== latest.version && run.ticks.length > 0)
        ? { from: run.ticks.length > 0 ? run.version : shown.version, to: latest.version }
        : null,
    /** Continues with the latest version. Ticks of steps with unchanged screens stay if `withTicks` is set. */
    continueWithLatest(withTicks: boolean): void {
      const latestKeys = stepsOfText(latest.content).map(stepKeyOf);
      const still = withTicks ? latestKeys.filter((key) => done.has(key)) : [];
      setShown(latest);
      setOpenedLeftOut(false);
      keepTicks({ version: latest.version, ticks: still });
      const open = latestKeys.findIndex((key) => !still.includes(key));
      // What to wear, have and know can have changed in this version, so that screen comes first.
      const place = needsHtmlOf(latest.content, latest.description) !== "" ? -1 : open < 0 ? latestKeys.length : open;
      setAt(place);
      setSeen(new Set([place]));
    },
    restart(): void {
      keepTicks({ version: shown.version, ticks: [] });
      setAt(begin);
    },
  };
}

/**
 * Returns the key of a step's tick. It changes with each word of the screen, so that a new warning removes the tick.
 */
const stepKeyOf = ({ id, screenHash }: TextStep): string => `${id} ${screenHash}`;

/** Says whether all steps of a version are ticked. Then the next visit begins a new run. */
const isFinished = (run: StepTicks, version: number, keys: readonly string[]): boolean =>
  run.version === version && keys.every((key) => run.ticks.includes(key));

export type StepsRun = ReturnType<typeof useStepsRun>;
