/** The steps of an SOP, as a reader carries them out: found in its rendered text. */
import { kindsOf } from "../lint/section-names.ts";
import { isHazard } from "../markdown/alert-grades.ts";

/** What is read of an element. A browser's `Element` has all of it. */
export interface ReadingElement<T> {
  readonly id: string;
  /** In any letter case. */
  readonly tagName: string;
  readonly className: string;
  readonly textContent: string | null;
  readonly children: ArrayLike<T>;
  getAttribute(name: string): string | null;
}

export interface ReadingStep<T> {
  /** As its list numbers it: each list can begin anew. Null in a check list. */
  number: number | null;
  /** The nearest heading above, if there is one. */
  section: T | null;
  /** Warnings that belong before it: from its item, and from above it. */
  warnings: T[];
  /** Those from above its list, for the list's first step: they hold for the steps after it too. */
  above: T[];
  /** The text between the heading and the list. */
  before: T[];
  item: T;
  /** Tables, images and notes that follow its list. */
  after: T[];
}

export interface ReadingSteps<T> {
  steps: ReadingStep<T>[];
  /** What one must wear, have and know before the first step, below its headings. Warnings are at the steps. */
  needs: T[];
  /** The index of the top-level element that the first step's section begins with; 0 without steps. */
  begin: number;
}

/** A box that names a hazard. */
export const isWarning = ({ className }: { readonly className: string }): boolean =>
  className.split(" ").some((name) => name.startsWith("alert-") && isHazard(name.slice("alert-".length)));

/** `OL`, `ol` → `ol` */
const tagOf = <T extends ReadingElement<T>>(element: T) => element.tagName.toLowerCase();
export const levelOf = <T extends ReadingElement<T>>(element: T) => Number(/^h([1-6])$/.exec(tagOf(element))?.[1] ?? 0);

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
  const needs = new Set<T>();
  // warnings above the procedure come before its first step
  for (const [at, element] of all.entries()) {
    if (isWarning(element) && (isPart(at) || steps.length === 0)) warnings.push(element);
    else if (isNeed(at)) addNeed(at);
    else if (!isPart(at)) continue;
    else if (levelOf(element) > 0) {
      settleLeft();
    } else if (isSteps(element, inProcedure)) {
      for (const [index, item] of Array.from(element.children).entries()) {
        const own = Array.from(item.children).filter((child) => isWarning(child));
        steps.push({
          number: tagOf(element) === "ol" ? Number(element.getAttribute("start") ?? 1) + index : null,
          section: places[at]?.heading ?? null,
          warnings: [...warnings, ...own],
          above: warnings,
          before,
          item,
          after: [],
        });
        if (steps.length === 1) begin = places[at]?.headingAt ?? at;
        [warnings, before] = [[], []];
      }
    } else if (steps.at(-1)?.section === (places[at]?.heading ?? null)) steps.at(-1)?.after.push(element);
    else before.push(element);
  }
  settleLeft();
  return { steps, needs: [...needs], begin };

  function isNeed(at: number): boolean {
    const element = all[at] as T;
    if (places[at]?.isNeeded !== true || levelOf(element) > 0) return false;
    return !isPart(at) || (steps.length === 0 && !isSteps(element, inProcedure));
  }

  function addNeed(at: number): void {
    const heading = places[at]?.heading;
    if (heading) needs.add(heading);
    needs.add(all[at] as T);
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

interface Place<T> {
  heading: T | null;
  /** The index of the heading that the procedure's part begins with. */
  headingAt: number | null;
  /** Of which kind of section it is a part; null of none that we know. */
  inside: string | null;
  /** Does it say what one must wear, have or know? */
  isNeeded: boolean;
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
