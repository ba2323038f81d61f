/** What one must wear, have and know: whatever a text says beside its steps, but for background. */
import { isBackground, isControl } from "../markdown/section-names.ts";
import { isWarning, levelOf, type Place, type ReadingElement, type ReadingStep } from "./element.ts";
import { foldedStart, isKept } from "./folded-start.ts";
import { protects } from "./protection.ts";

interface Text<T> {
  places: readonly Place<T>[];
  steps: readonly ReadingStep<T>[];
  /** The index at which the steps begin. */
  begin: number;
}

/**
 * All sections count but background, the control of the document and records, so that a heading in any words or language
 * does, and one after the steps too. What protects counts wherever it is.
 * @returns elements in their order, each section below its heading
 */
export function neededElements<T extends ReadingElement<T>>(all: readonly T[], { places, steps, begin }: Text<T>): T[] {
  const atSteps = new Set(steps.flatMap(({ warnings, before, after }) => [...warnings, ...before, ...after]));
  const folded = foldedStart<T>(all, begin);
  const protecting = new Set(all.flatMap((element, at) => (says(element) ? [places[at]?.heading ?? element] : [])));
  const needs = new Set<T>();
  for (const [at, element] of all.entries()) {
    const place = places[at];
    if (place === undefined || levelOf(element) > 0 || atSteps.has(element) || !isNeeded(element, at, place)) continue;
    if (place.heading) needs.add(place.heading);
    needs.add(element);
  }
  return [...needs];

  function isNeeded(element: T, at: number, { heading, inside, isNeeded: isNamed }: Place<T>): boolean {
    if (inside === "procedure" || holdsSteps(element)) return isNamed && !holdsSteps(element);
    if (isNamed || isWarning(element)) return true;
    if (heading === null) return true;
    const title = heading.textContent ?? "";
    if (isControl(title)) return false;
    if (at < begin && folded[at] === true) return false;
    return protecting.has(heading) || !(isBackground(title) || inside === "records");
  }

  function holdsSteps(element: T): boolean {
    return steps.some(({ item }) => Array.from(element.children).includes(item));
  }
}

const says = <T extends ReadingElement<T>>(element: T) =>
  levelOf(element) === 0 && (isKept<T>(element) || protects(element.textContent ?? ""));
