/**
 * Splits the rendered text of an SOP for the screen of steps: into steps, content before the steps, and other content.
 */
import { isBackgroundTitle, isDocumentControlTitle } from "../markdown/section-names.ts";
import { isHazardBox, headingLevelOf, tagNameOf, type ReadingElement, type ReadingStep } from "./element.ts";
import { isProtecting, hasProtectingWords } from "./folded-start.ts";
import {
  bareHeadingsOf,
  headingChainOf,
  isWithin,
  readingSectionsOf,
  sectionTitleOf,
  sectionWithOuterOnes,
  type ReadingSection,
  type ReadingSectionKind,
} from "./reading-sections.ts";
import { createStepListRules } from "./step-lists.ts";

export interface ReadingSteps<T> {
  steps: ReadingStep<T>[];
  /**
   * The content to show besides the steps, each section below its heading. Warnings above the steps belong to the first
   * step.
   */
  needs: T[];
  /** The content that neither the steps nor `needs` show, each section below its heading. */
  leftOut: T[];
  /** The index of the top-level element at which the first step's section begins; 0 without steps. */
  begin: number;
}

/** A block that waits for the next step of its section. */
interface WaitingBlock<T> {
  element: T;
  section: ReadingSection<T>;
  /** The section whose steps can show the block: its own section, or one around it. */
  within: ReadingSection<T>;
}

/** Kinds of sections that are shown before the steps even if they follow the steps in the text. */
const needed: readonly (ReadingSectionKind | null)[] = ["safety", "equipment", "prerequisites"];

/**
 * Finds the steps, which are the items of `stepListsIn`, and assigns the other blocks of the text to them. A block after
 * the last step of its section is shown with that step, any other block with the next step of its section or of a
 * section around it. Background outside of the procedure is left out.
 * @param elements the top level of the rendered text
 */
export function readingSteps<T extends ReadingElement<T>>(elements: ArrayLike<T>): ReadingSteps<T> {
  const all = Array.from(elements);
  const sections = readingSectionsOf(all);
  const bare = bareHeadingsOf(all);
  const sectionAt = (at: number) => sections[at] as ReadingSection<T>;
  const { isShownInOrder, isStepList } = createStepListRules(all, sections);
  const protecting = new Map<ReadingSection<T>, boolean>();

  const steps: ReadingStep<T>[] = [];
  const shown = new Set<T>();
  const waiting: WaitingBlock<T>[] = [];
  /** For each section, the last step with warnings above its list. */
  const warned = new Map<ReadingSection<T>, ReadingStep<T>>();
  let begin = 0;
  let firstList = 0;
  let lastSection: ReadingSection<T> | null = null;
  for (const [at, element] of all.entries()) {
    const section = sectionAt(at);
    if (headingLevelOf(element) > 0) endSections(section);
    if (isStepList(element, section, steps.length > 0)) addSteps(element, at);
    else if (
      isShownByItself(element) &&
      (isShownInOrder(section, steps.length > 0)
        ? isShownInSection(element, section)
        : isHazardBox(element) && steps.length === 0)
    ) {
      if (section === lastSection && waiting.length === 0 && !isHazardBox(element))
        showAtStep(steps.at(-1), "after", element);
      else waiting.push({ element, section, within: section });
    }
  }
  endSections(null);
  return {
    steps,
    begin,
    // a getter, because most callers only need the steps
    get needs() {
      return neededElements();
    },
    get leftOut() {
      return leftOutElements();
    },
  };

  function isShownInSection(element: T, section: ReadingSection<T>): boolean {
    return !isLeftOut(element, section) || isProtectingSection(section);
  }

  /** Tells whether a section protects the reader. Sections of document control never do: they only list changes. */
  function isProtectingSection(section: ReadingSection<T>): boolean {
    const known = protecting.get(section);
    if (known !== undefined) return known;
    const own = isDocumentControlTitle(sectionTitleOf(section)) ? [] : all.filter((_, at) => sectionAt(at) === section);
    const isOne = own.some((element) => headingLevelOf(element) === 0 && isProtecting<T>(element));
    protecting.set(section, isOne);
    return isOne;
  }

  function addSteps(list: T, at: number): void {
    const section = sectionAt(at);
    const above = waiting.filter(({ element }) => isHazardBox(element));
    const warnings = above.map(({ element }) => element);
    for (const [index, item] of Array.from(list.children).entries()) {
      const first = index === 0 ? warnings : [];
      const near = sectionWithOuterOnes(section)
        .toReversed()
        .map((one) => warned.get(one));
      const step: ReadingStep<T> = {
        number: tagNameOf(list) === "ol" ? Number(list.getAttribute("start") ?? 1) + index : null,
        section: section.heading,
        headings: headingChainOf(section),
        warnings: [...first, ...Array.from(item.children).filter((child) => isHazardBox(child))],
        above: first,
        under: [...new Set([steps[0], ...near])].filter((one) => one !== undefined),
        before: [],
        item,
        after: [],
      };
      steps.push(step);
      if (index > 0) continue;
      for (const { within } of above) warned.set(within, step);
      // blocks of other sections before all steps are shown in `needs`, with their headings
      const before = waiting.filter((one) => steps.length > 1 || one.section === section);
      for (const one of before) if (!isHazardBox(one.element)) showWithHeading(step, "before", one);
      if (steps.length > 1) continue;
      begin = procedureStartOf(section, at);
      firstList = at;
    }
    for (const element of [list, ...warnings]) shown.add(element);
    waiting.length = 0;
    lastSection = section;
  }

  /**
   * Ends the sections that a heading ends. Their waiting blocks then wait for a step of the sections around them.
   */
  function endSections(next: ReadingSection<T> | null): void {
    if (lastSection === null) return;
    const isOpen = ({ within }: WaitingBlock<T>) => next !== null && isWithin(next, within);
    // blocks of inner sections are behind those of outer sections in the list
    const ended = waiting.splice(waiting.findLastIndex(isOpen) + 1);
    for (const one of ended) {
      while (!isOpen(one) && one.within.around !== null) one.within = one.within.around;
      const last = steps.at(-1);
      if (last && waiting.length === 0 && isWithin(lastSection, one.within)) showWithHeading(last, "after", one);
      else waiting.push(one);
    }
  }

  function showWithHeading(
    step: ReadingStep<T>,
    where: "before" | "after",
    { element, section }: WaitingBlock<T>,
  ): void {
    for (const heading of headingChainOf(section)) {
      const isNamed = heading === section.heading ? heading === step.section : step.headings.includes(heading);
      if (!isNamed && !shown.has(heading)) showAtStep(step, where, heading);
    }
    if (element !== section.heading) showAtStep(step, where, element);
  }

  function showAtStep(step: ReadingStep<T> | undefined, where: "before" | "after", element: T): void {
    step?.[where].push(element);
    shown.add(element);
  }

  /** The blocks for `needs`, in the order of the text. */
  function neededElements(): T[] {
    const titles = new Set(steps.flatMap(({ headings }) => headings));
    const needs = new Set<T>();
    for (const [at, element] of all.entries()) {
      const section = sectionAt(at);
      if (titles.has(element) || !isShownByItself(element) || !isShownInSection(element, section)) continue;
      if (shown.has(element) && !(at > firstList && needed.includes(section.kind))) continue;
      for (const heading of headingChainOf(section))
        if (heading === section.heading || !titles.has(heading)) needs.add(heading);
      needs.add(element);
    }
    return [...needs];
  }

  /** Returns the blocks that no screen shows, with their headings, and headings that no screen shows. */
  function leftOutElements(): T[] {
    const titles = steps.flatMap(({ headings }) => headings);
    const elsewhere = new Set([...shown, ...neededElements(), ...titles]);
    const isOut = all.map((element) => tagNameOf(element) !== "hr" && !elsewhere.has(element));
    const headings = new Set(all.map((_, at) => (isOut[at] ? sectionAt(at).heading : null)));
    return all.filter((element, at) => isOut[at] || headings.has(element));
  }

  /**
   * Tells whether an element is a block of its own. A heading is one only without text below, or with protecting words.
   */
  function isShownByItself(element: T): boolean {
    if (headingLevelOf(element) > 0) return bare.has(element) || hasProtectingWords(element);
    return tagNameOf(element) !== "hr";
  }
}

/**
 * Tells whether a block is left out: background, or a record of document control. Nothing in the procedure is
 * background.
 */
function isLeftOut<T extends ReadingElement<T>>(element: T, section: ReadingSection<T>): boolean {
  const { heading, kind } = section;
  if (isHazardBox(element) || heading === null || kind === "procedure") return false;
  const title = sectionTitleOf(section);
  return isDocumentControlTitle(title) ? isChangeRecord(element) : isBackgroundTitle(title);
}

const date =
  /\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{1,2}\.? \p{L}{3,}\.? \d{4}|\p{L}{3,}\.? \d{1,2}, \d{4}/u
    .source;
const dateAlone = new RegExp(`^\\s*(?:${date})\\s*$`, "u");
const dateFirst = new RegExp(`^\\s*(?:\\p{L}*[\\s.]*\\d+(?:\\.\\d+)*[\\s:,(–-]+)?(?:${date})`, "u");

/**
 * Tells whether an element records changes of the document: each row or item has a date, or its words don't protect the
 * reader. Protecting words beside a date only describe a change.
 */
function isChangeRecord<T extends ReadingElement<T>>(element: T): boolean {
  const rows = itemsOrRowsOf(element);
  const isDated = (row: T) =>
    tagNameOf(row) === "li"
      ? dateFirst.test(row.textContent ?? "")
      : Array.from(row.children).some((cell) => dateAlone.test(cell.textContent ?? ""));
  if (rows.length > 0 && rows.every(isDated)) return true;
  return /^(?:table|[ou]l)$/.test(tagNameOf(element)) && !hasProtectingWords(element);
}

/** The items of a list, or the rows of a table without header rows. */
function itemsOrRowsOf<T extends ReadingElement<T>>(element: T): T[] {
  const tag = tagNameOf(element);
  const children = Array.from(element.children);
  if (tag === "li" || (tag === "tr" && children.some((cell) => tagNameOf(cell) === "td"))) return [element];
  return /^(?:table|thead|tbody|tfoot|[ou]l)$/.test(tag) ? children.flatMap((child) => itemsOrRowsOf(child)) : [];
}

/** Returns the index at which the procedure begins; for a step outside of a procedure, at which its section begins. */
function procedureStartOf<T>(section: ReadingSection<T>, list: number): number {
  const begin =
    sectionWithOuterOnes(section).findLast(({ kind, isTitle }) => kind === "procedure" && !isTitle) ?? section;
  return begin.heading === null ? list : begin.at;
}
