/** Finds the sections of an SOP's rendered text with their kinds, such as safety or procedure. */
import {
  isDocumentControlTitle,
  isHelpTitle,
  isWorkTitle,
  sectionKindsOf,
  type SectionKind,
} from "../markdown/section-names.ts";
import { classesOf, headingLevelOf, tagNameOf, type ReadingElement } from "./element.ts";

/** `control`: the history and approval of the document itself. `help`: what to do and whom to call in an emergency. */
export type ReadingSectionKind = SectionKind | "control" | "help";

/** A heading with everything up to the next heading of its level, or the whole text (without a heading). */
export interface ReadingSection<T> {
  heading: T | null;
  at: number;
  level: number;
  /** The kinds that the heading names. */
  named: readonly ReadingSectionKind[];
  /** The kind of the section, or else of a section around it; null if no heading names a kind. */
  kind: ReadingSectionKind | null;
  /** True if the heading is the title of the text: the first heading and the only one of level 1. */
  isTitle: boolean;
  around: ReadingSection<T> | null;
}

/** Returns the innermost section of each top-level element. */
export function readingSectionsOf<T extends ReadingElement<T>>(all: readonly T[]): readonly ReadingSection<T>[] {
  const text: ReadingSection<T> = {
    heading: null,
    at: 0,
    level: 0,
    named: [],
    kind: null,
    isTitle: false,
    around: null,
  };
  const headings = all.filter((element) => headingLevelOf(element) > 0);
  const [title] = headings.filter((element) => headingLevelOf(element) === 1).length === 1 ? headings : [];
  let section = text;
  const sections = all.map((element, at) => {
    // footnotes belong to the whole text
    if (classesOf(element).includes("footnotes")) return text;
    const level = headingLevelOf(element);
    if (level > 0) {
      let around = section;
      while (around.level >= level && around.around !== null) around = around.around;
      const isInProcedure = around.kind === "procedure";
      const isTitle = element === title && level === 1;
      const named = sectionKindsOfHeading(element, isTitle);
      const kinds = isInProcedure && !around.isTitle ? [] : named;
      const inherited = isInProcedure || !around.isTitle ? around.kind : null;
      const kind = kinds.includes("procedure") ? "procedure" : (kinds[0] ?? inherited);
      section = { heading: element, at, level, named, kind, isTitle, around };
    }
    return section;
  });
  return withWorkAsProcedure(all, sections);
}

/**
 * Makes sections such as "Cleaning procedure" the procedure of a text, if its only numbered lists are below headings
 * such as "Emergency". Otherwise the emergency steps would be shown as the procedure.
 */
function withWorkAsProcedure<T extends ReadingElement<T>>(
  all: readonly T[],
  sections: readonly ReadingSection<T>[],
): readonly ReadingSection<T>[] {
  const isKnown = sections.some(({ kind }) => kind === "procedure");
  const isNumbered = (kind: ReadingSectionKind | null) =>
    all.some((element, at) => sections[at]?.kind === kind && isNumberedOrChecklist(element, true));
  if (isKnown || isNumbered(null) || !isNumbered("help")) return sections;
  for (const section of new Set(sections)) {
    const { kind, isTitle, around } = section;
    const isWork = around?.kind === "procedure" || (!isTitle && isWorkTitle(sectionTitleOf(section)));
    if (kind === null && isWork) section.kind = "procedure";
  }
  return sections;
}

/** Returns the kinds that a heading names. The title of a text, such as "Approval", never names `control` or `help`. */
function sectionKindsOfHeading<T extends ReadingElement<T>>(
  { textContent }: T,
  isTitle: boolean,
): ReadingSectionKind[] {
  const words = textContent ?? "";
  if (!isTitle && isDocumentControlTitle(words)) return ["control"];
  return !isTitle && isHelpTitle(words) ? ["help"] : sectionKindsOf(words);
}

/** Returns the headings of a section and of the sections around it, the outermost first. */
export function headingChainOf<T>(section: ReadingSection<T>): T[] {
  return sectionWithOuterOnes(section)
    .toReversed()
    .flatMap(({ heading }) => (heading === null ? [] : [heading]));
}

/** Returns the section and the sections around it, the innermost first. */
export function sectionWithOuterOnes<T>(section: ReadingSection<T>): ReadingSection<T>[] {
  return section.around === null ? [section] : [section, ...sectionWithOuterOnes(section.around)];
}

export const isWithin = <T>(section: ReadingSection<T>, outer: ReadingSection<T>) =>
  sectionWithOuterOnes(section).includes(outer);

export const sectionTitleOf = <T extends ReadingElement<T>>({ heading }: ReadingSection<T>) =>
  heading?.textContent ?? "";

/** Returns the outermost section of the procedure that contains this section; null outside of a procedure. */
export function procedureAround<T>(section: ReadingSection<T>): ReadingSection<T> | null {
  return sectionWithOuterOnes(section).findLast(({ kind }) => kind === "procedure") ?? null;
}

/** Tells whether the section is a part of the procedure whose heading names only these kinds, such as "Equipment". */
export function isPartOfKinds<T extends ReadingElement<T>>(
  section: ReadingSection<T>,
  some: readonly ReadingSectionKind[],
): boolean {
  const inside = sectionWithOuterOnes(section).filter(({ kind, heading }) => kind === "procedure" && heading !== null);
  return inside.some(({ named }) => named.length > 0 && named.every((kind) => some.includes(kind)));
}

/** Matches headings of steps for a case that may never come, such as "If the alarm sounds". */
const forACase =
  /^(?:if|when|in case|wenn|falls|bei|si|en cas|en caso|se|in caso|als|indien|in geval|em caso)\s|^(?:emergenc|notfall|not-?halt|not-?aus)/i;

export function isForSpecialCase<T extends ReadingElement<T>>(section: ReadingSection<T>): boolean {
  const inside = sectionWithOuterOnes(section).filter(({ kind, isTitle }) => kind === "procedure" && !isTitle);
  return inside.some((one) => forACase.test(sectionTitleOf(one).replace(/^[^\p{L}]+/u, "")));
}

/** Returns the headings without text and without further headings below them. */
export function bareHeadingsOf<T extends ReadingElement<T>>(all: readonly T[]): ReadonlySet<T> {
  const parts = all.filter((element) => tagNameOf(element) !== "hr" && !classesOf(element).includes("footnotes"));
  return new Set(
    parts.filter((element, at) => {
      const level = headingLevelOf(element);
      const next = parts[at + 1];
      const nextLevel = next === undefined ? 1 : headingLevelOf(next);
      return level > 0 && nextLevel > 0 && nextLevel <= level;
    }),
  );
}

/** Tells whether an element is a numbered list or, if `withChecks`, a checklist. */
export function isNumberedOrChecklist<T extends ReadingElement<T>>(element: T, withChecks: boolean): boolean {
  if (element.children.length === 0) return false;
  const tag = tagNameOf(element);
  return tag === "ol" || (withChecks && tag === "ul" && classesOf(element).includes("contains-task-list"));
}
