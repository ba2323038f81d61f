/** Finds the step that an address names. It loads only for such addresses. */
import { findStep } from "./find-step.ts";
import type { StepTarget } from "./step-target.ts";
import { parseStepsOfText } from "./text-steps.ts";

/** Returns the index of the step that an address names, or -1. */
export function stepIndexOf(html: string, target: StepTarget): number {
  const { body, reading } = parseStepsOfText(html);
  const found = findStep(body, target);
  return found === null ? -1 : reading.steps.findIndex(({ item }) => item.contains(found));
}
