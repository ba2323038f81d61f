/** Decides which lists of an SOP's text are its steps. */
import { tagNameOf, type ReadingElement } from "./element.ts";
import {
  isForSpecialCase,
  isPartOfKinds,
  isNumberedOrChecklist,
  procedureAround,
  readingSectionsOf,
  type ReadingSection,
  type ReadingSectionKind,
} from "./reading-sections.ts";

/** Sections outside of the procedure whose numbered lists are steps. */
const canAct: readonly (ReadingSectionKind | null)[] = [null, "records", "help"];

/** Kinds of sections inside a procedure whose lists are no steps: they list things or people. */
const things: readonly ReadingSectionKind[] = ["equipment", "definitions", "references", "help"];
/** Kinds of sections inside a procedure whose bullets are no steps. Their numbered lists can be steps. */
const notes: readonly ReadingSectionKind[] = [
  "purpose",
  "scope",
  "responsibilities",
  "safety",
  "prerequisites",
  "control",
];

/**
 * Returns the lists whose items are steps, in the order of the text: the numbered lists, checklists or else bullets
 * below a heading such as "Procedure". Without such a heading, they can be in any section except for "Scope",
 * "Equipment" and the like. Numbered lists and checklists after the first step count too, unless their section only
 * informs.
 */
export function stepListsIn<T extends ReadingElement<T>>(all: readonly T[]): T[] {
  const sections = readingSectionsOf(all);
  const { isStepList } = createStepListRules(all, sections);
  const found: T[] = [];
  for (const [at, element] of all.entries())
    if (isStepList(element, sections[at] as ReadingSection<T>, found.length > 0)) found.push(element);
  return found;
}

interface StepListRules<T> {
  /** Tells whether the blocks of a section are shown with the steps, in the order of the text. */
  isShownInOrder(section: ReadingSection<T>, hasSteps: boolean): boolean;
  /** Tells whether an element is a list of steps. @param hasSteps true if an earlier list has steps */
  isStepList(element: T, section: ReadingSection<T>, hasSteps: boolean): boolean;
}

/** @param sections the section of each element */
export function createStepListRules<T extends ReadingElement<T>>(
  all: readonly T[],
  sections: readonly ReadingSection<T>[],
): StepListRules<T> {
  const sectionAt = (at: number) => sections[at] as ReadingSection<T>;
  const lists = all.flatMap((element, at) => (isNumberedOrChecklist(element, true) ? [sectionAt(at)] : []));
  const counted = new Set(
    lists
      .filter((section) => !isPartOfKinds(section, [...things, ...notes]) && !isForSpecialCase(section))
      .map((section) => procedureAround(section)),
  );
  const inProcedure = all.some((element, at) => isOfProcedure(element, sectionAt(at)));
  const hasOthers = all.some((element, at) => sectionAt(at).kind === null && isNumberedOrChecklist(element, false));
  return { isShownInOrder, isStepList };

  function isShownInOrder({ kind, heading }: ReadingSection<T>, hasSteps: boolean): boolean {
    if (!hasSteps) return kind === "procedure" || (!inProcedure && (kind === null || (kind === "help" && !hasOthers)));
    return heading !== null || !inProcedure;
  }

  function isStepList(element: T, section: ReadingSection<T>, hasSteps: boolean): boolean {
    const { kind } = section;
    if (kind === "procedure") {
      const isLater = hasSteps || !inProcedure;
      return isOfProcedure(element, section) || (isLater && isNumberedOrChecklist(element, true));
    }
    return isShownInOrder(section, hasSteps) && canAct.includes(kind) && isNumberedOrChecklist(element, hasSteps);
  }

  /** Tells whether an element is a list of steps in the procedure. Lists below "Equipment" and the like never are. */
  function isOfProcedure(element: T, section: ReadingSection<T>): boolean {
    if (section.kind !== "procedure") return false;
    if (isNumberedOrChecklist(element, true)) return !isPartOfKinds(section, things);
    const isBullets = tagNameOf(element) === "ul" && element.children.length > 0;
    return isBullets && !counted.has(procedureAround(section)) && !isPartOfKinds(section, [...things, ...notes]);
  }
}
