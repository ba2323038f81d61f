/** The lists of an SOP's text whose items are its steps. */
import { tagNameOf, type ReadingElement } from "./element.ts";
import {
  isForACase,
  isNamed,
  isNumberedOrChecklist,
  procedureAround,
  readingSectionsOf,
  type ReadingSection,
  type ReadingSectionKind,
} from "./reading-sections.ts";

/** Sections outside of the procedure whose numbered lists are steps. */
const canAct: readonly (ReadingSectionKind | null)[] = [null, "records", "help"];

/** Parts of a procedure that list things or people, and those whose bullets are no steps. Their numbers can be. */
const things: readonly ReadingSectionKind[] = ["equipment", "definitions", "references", "help"];
const notes: readonly ReadingSectionKind[] = [
  "purpose",
  "scope",
  "responsibilities",
  "safety",
  "prerequisites",
  "control",
];

/**
 * The lists whose items are steps, in the order of the text: numbered lists and check lists. The first ones are under a
 * heading such as "Procedure" or "Steps". A procedure without such lists has its bullets as steps. In a text without a
 * list under such a heading, they are in any section but those such as "Scope", "Equipment" or "Emergency". After the
 * first step, those of each section count whose heading doesn't say that it only informs. A list within a step is part
 * of it. A title such as "Procedure" says so of the sections below it that name nothing else.
 */
export function stepLists<T extends ReadingElement<T>>(all: readonly T[]): T[] {
  const sections = readingSectionsOf(all);
  const { isSteps } = stepListRules(all, sections);
  const found: T[] = [];
  for (const [at, element] of all.entries())
    if (isSteps(element, sections[at] as ReadingSection<T>, found.length > 0)) found.push(element);
  return found;
}

interface StepListRules<T> {
  /** Says whether the blocks of a section are shown in their place. */
  isPlace(section: ReadingSection<T>, hasSteps: boolean): boolean;
  /** Says whether an element is a list of steps. @param hasSteps true if a list before it is one */
  isSteps(element: T, section: ReadingSection<T>, hasSteps: boolean): boolean;
}

/** @param sections the section of each element */
export function stepListRules<T extends ReadingElement<T>>(
  all: readonly T[],
  sections: readonly ReadingSection<T>[],
): StepListRules<T> {
  const sectionAt = (at: number) => sections[at] as ReadingSection<T>;
  const lists = all.flatMap((element, at) => (isNumberedOrChecklist(element, true) ? [sectionAt(at)] : []));
  const counted = new Set(
    lists
      .filter((section) => !isNamed(section, [...things, ...notes]) && !isForACase(section))
      .map((section) => procedureAround(section)),
  );
  const inProcedure = all.some((element, at) => isOfProcedure(element, sectionAt(at)));
  const hasOthers = all.some((element, at) => sectionAt(at).kind === null && isNumberedOrChecklist(element, false));
  return { isPlace, isSteps };

  /** Are the blocks of a section shown in their place? Notes of a text with a procedure are not. */
  function isPlace({ kind, heading }: ReadingSection<T>, hasSteps: boolean): boolean {
    if (!hasSteps) return kind === "procedure" || (!inProcedure && (kind === null || (kind === "help" && !hasOthers)));
    return heading !== null || !inProcedure;
  }

  function isSteps(element: T, section: ReadingSection<T>, hasSteps: boolean): boolean {
    const { kind } = section;
    if (kind === "procedure") {
      const isLater = hasSteps || !inProcedure;
      return isOfProcedure(element, section) || (isLater && isNumberedOrChecklist(element, true));
    }
    return isPlace(section, hasSteps) && canAct.includes(kind) && isNumberedOrChecklist(element, hasSteps);
  }

  /** Does a list have the steps of a procedure? Numbers below "Equipment" and the like can only follow them. */
  function isOfProcedure(element: T, section: ReadingSection<T>): boolean {
    if (section.kind !== "procedure") return false;
    if (isNumberedOrChecklist(element, true)) return !isNamed(section, things);
    const isBullets = tagNameOf(element) === "ul" && element.children.length > 0;
    return isBullets && !counted.has(procedureAround(section)) && !isNamed(section, [...things, ...notes]);
  }
}
