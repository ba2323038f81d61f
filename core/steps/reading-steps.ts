/** The steps of an SOP, as a reader carries them out: found in its rendered text. */
import { kindsOf } from "../markdown/section-names.ts";
import { isWarning, levelOf, tagOf, type Place, type ReadingElement, type ReadingStep } from "./element.ts";
import { neededElements } from "./needs.ts";

export interface ReadingSteps<T> {
  steps: ReadingStep<T>[];
  /** What one must wear, have and know, below its headings. Warnings are at the steps. */
  needs: T[];
  /** The index of the top-level element that the first step's section begins with; 0 without steps. */
  begin: number;
}

/**
 * The items of numbered lists and check lists under headings such as "Procedure" or "Steps". Without such a heading:
 * those of all numbered lists, except in sections such as "Scope" or "References". A list within a step is part of it.
 * @param elements the top level of the rendered text
 */
export function readingSteps<T extends ReadingElement<T>>(elements: ArrayLike<T>): ReadingSteps<T> {
  const all = Array.from(elements);
  const places = placesOf(all);
  const inProcedure = places.some(({ inside }, at) => inside === "procedure" && isSteps(all[at] as T, true));
  const isPart = (at: number) => (inProcedure ? places[at]?.inside === "procedure" : places[at]?.inside === null);

  const steps: ReadingStep<T>[] = [];
  let begin = 0;
  let [warnings, before]: [T[], T[]] = [[], []];
  let warned: ReadingStep<T> | undefined;
  // warnings above the procedure come before its first step
  for (const [at, element] of all.entries()) {
    if (isWarning(element) && (isPart(at) || steps.length === 0)) warnings.push(element);
    else if (isNeeded(at)) continue;
    else if (!isPart(at)) continue;
    else if (levelOf(element) > 0) {
      settleLeft();
    } else if (isSteps(element, inProcedure)) {
      for (const [index, item] of Array.from(element.children).entries()) {
        const own = Array.from(item.children).filter((child) => isWarning(child));
        const section = places[at]?.heading ?? null;
        const near = warned?.section === section && warned !== steps[0] ? warned : undefined;
        const step: ReadingStep<T> = {
          number: tagOf(element) === "ol" ? Number(element.getAttribute("start") ?? 1) + index : null,
          section,
          warnings: [...warnings, ...own],
          above: warnings,
          under: [steps[0], near].filter((one) => one !== undefined),
          before,
          item,
          after: [],
        };
        steps.push(step);
        if (warnings.length > 0) warned = step;
        if (steps.length === 1) begin = places[at]?.headingAt ?? at;
        [warnings, before] = [[], []];
      }
    } else if (steps.at(-1)?.section === (places[at]?.heading ?? null)) steps.at(-1)?.after.push(element);
    else before.push(element);
  }
  settleLeft();
  return {
    steps,
    begin,
    // most callers want the steps alone
    get needs() {
      return neededElements(all, { places, steps, begin });
    },
  };

  /** Said before the first step, so that no step says it. */
  function isNeeded(at: number): boolean {
    const element = all[at] as T;
    if (places[at]?.isNeeded !== true || levelOf(element) > 0) return false;
    return !isPart(at) || (steps.length === 0 && !isSteps(element, inProcedure));
  }

  /** What follows the last list of a section belongs to its last step. */
  function settleLeft(): void {
    const last = steps.at(-1);
    if (!last) {
      before = [];
      return;
    }
    last.after.push(...warnings, ...before);
    [warnings, before] = [[], []];
  }
}

const neededKinds: readonly string[] = ["safety", "equipment", "prerequisites"];

function placesOf<T extends ReadingElement<T>>(all: readonly T[]): Place<T>[] {
  const open: { level: number; kind: string | null; isNeeded: boolean; heading: T; at: number }[] = [];
  return all.map((element, at) => {
    const level = levelOf(element);
    if (level > 0) {
      while ((open.at(-1)?.level ?? 0) >= level) open.pop();
      const outer = open.at(-1)?.kind ?? null;
      const named = kindsOf(element.textContent ?? "");
      const kinds = outer === "procedure" && open.length > 0 ? [] : named;
      const isNeeded =
        named.length === 0 ? open.at(-1)?.isNeeded === true : named.some((kind) => neededKinds.includes(kind));
      const kind = kinds.includes("procedure") ? "procedure" : (kinds[0] ?? outer);
      open.push({ level, kind, isNeeded, heading: element, at });
    }
    const top = open.at(-1);
    const begin = open.find(({ kind }) => kind === "procedure") ?? top;
    return {
      heading: top?.heading ?? null,
      headingAt: begin?.at ?? null,
      inside: top?.kind ?? null,
      isNeeded: top?.isNeeded === true,
    };
  });
}

function isSteps<T extends ReadingElement<T>>(element: T, withChecks: boolean): boolean {
  if (element.children.length === 0) return false;
  const tag = tagOf(element);
  return tag === "ol" || (withChecks && tag === "ul" && /(?:^| )contains-task-list(?: |$)/.test(element.className));
}
