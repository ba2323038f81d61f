/** Finds the steps that a reader of an SOP carries out, and assigns the rest of the rendered text to them. */
import { isBackground, isControl, kindsOf } from "../markdown/section-names.ts";
import { isWarning, levelOf, tagOf, type ReadingElement, type ReadingStep } from "./element.ts";
import { isProtecting, saysProtection } from "./folded-start.ts";

export interface ReadingSteps<T> {
  steps: ReadingStep<T>[];
  /**
   * The content to show besides the steps, each section below its heading. Warnings above the steps belong to the first
   * step.
   */
  needs: T[];
  /** The index of the top-level element at which the first step's section begins; 0 without steps. */
  begin: number;
}

/** A heading with everything below it, up to the next heading of its level. The outermost section is the whole text. */
interface Section<T> {
  heading: T | null;
  at: number;
  level: number;
  /** The kind of the section, or of the section around it; null if no kind is known. */
  kind: string | null;
  around: Section<T> | null;
}

/** A block that waits for the next step of its section. */
interface Waiting<T> {
  element: T;
  section: Section<T>;
  /** The section whose steps can show the block: its own section, or one around it. */
  within: Section<T>;
}

/**
 * Steps are the items of numbered lists and checklists under headings such as "Procedure" or "Steps". Without such a
 * heading, they are the items of all numbered lists, except in sections such as "Scope" or "References". A list within
 * a step is part of the step.
 *
 * Every other block is shown too, except for background outside of the procedure. A block that follows the last step in
 * the same section is shown with that step, otherwise with the next step of its section. If no step follows, the
 * section around it decides in the same way. `needs` has the blocks before all steps.
 * @param elements the top level of the rendered text
 */
export function readingSteps<T extends ReadingElement<T>>(elements: ArrayLike<T>): ReadingSteps<T> {
  const all = Array.from(elements);
  const sections = sectionsOf(all);
  const sectionAt = (at: number) => sections[at] as Section<T>;
  const inProcedure = all.some((element, at) => sectionAt(at).kind === "procedure" && isSteps(element, true));
  const isPart = ({ kind }: Section<T>) => kind === (inProcedure ? "procedure" : null);

  const steps: ReadingStep<T>[] = [];
  const shown = new Set<T>();
  const waiting: Waiting<T>[] = [];
  /** The last step of each section with warnings above it. */
  const warned = new Map<Section<T>, ReadingStep<T>>();
  let begin = 0;
  let lastSection: Section<T> | null = null;
  for (const [at, element] of all.entries()) {
    const section = sectionAt(at);
    if (levelOf(element) > 0) settle(section);
    if (isPart(section) && isSteps(element, inProcedure)) addSteps(element, at);
    else if (
      isBlock(element) &&
      (isPart(section) ? !isLeftOut(element, section) : isWarning(element) && steps.length === 0)
    ) {
      if (section === lastSection && waiting.length === 0 && !isWarning(element)) show(steps.at(-1), "after", element);
      else waiting.push({ element, section, within: section });
    }
  }
  settle(null);
  return {
    steps,
    begin,
    // a getter, because most callers only need the steps
    get needs() {
      return neededElements();
    },
  };

  function addSteps(list: T, at: number): void {
    const section = sectionAt(at);
    const above = waiting.filter(({ element }) => isWarning(element));
    const warnings = above.map(({ element }) => element);
    for (const [index, item] of Array.from(list.children).entries()) {
      const first = index === 0 ? warnings : [];
      const near = outwards(section)
        .toReversed()
        .map((one) => warned.get(one));
      const step: ReadingStep<T> = {
        number: tagOf(list) === "ol" ? Number(list.getAttribute("start") ?? 1) + index : null,
        section: section.heading,
        warnings: [...first, ...Array.from(item.children).filter((child) => isWarning(child))],
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
      for (const one of before) if (!isWarning(one.element)) showWithHeading(step, "before", one);
      if (steps.length === 1) begin = beginOf(section, at);
    }
    for (const element of [list, ...warnings]) shown.add(element);
    waiting.length = 0;
    lastSection = section;
  }

  /**
   * Ends the sections that a heading ends. Blocks that wait for a step in them then wait in the sections around them.
   */
  function settle(next: Section<T> | null): void {
    if (lastSection === null) return;
    const isOpen = ({ within }: Waiting<T>) => next !== null && isWithin(next, within);
    // blocks of inner sections are behind those of outer sections in the list
    const ended = waiting.splice(waiting.findLastIndex(isOpen) + 1);
    for (const one of ended) {
      while (!isOpen(one) && one.within.around !== null) one.within = one.within.around;
      const last = steps.at(-1);
      if (last && waiting.length === 0 && isWithin(lastSection, one.within)) showWithHeading(last, "after", one);
      else waiting.push(one);
    }
  }

  function showWithHeading(step: ReadingStep<T>, where: "before" | "after", { element, section }: Waiting<T>): void {
    const { heading } = section;
    if (heading !== null && heading !== step.section && !shown.has(heading)) show(step, where, heading);
    if (element !== heading) show(step, where, element);
  }

  function show(step: ReadingStep<T> | undefined, where: "before" | "after", element: T): void {
    step?.[where].push(element);
    shown.add(element);
  }

  /** The blocks for `needs`, in the order of the text. */
  function neededElements(): T[] {
    const says = (element: T) => levelOf(element) === 0 && isProtecting<T>(element);
    // document control is left out here, because its tables name changes that only look protecting
    const protecting = new Set(
      all.flatMap((element, at) => (says(element) && !isControl(titleOf(sectionAt(at))) ? [sectionAt(at)] : [])),
    );
    const titles = new Set(steps.map(({ section }) => section));
    const needs = new Set<T>();
    for (const [at, element] of all.entries()) {
      const section = sectionAt(at);
      if (shown.has(element) || titles.has(element) || !isBlock(element)) continue;
      if (!protecting.has(section) && isLeftOut(element, section)) continue;
      if (section.heading !== null) needs.add(section.heading);
      needs.add(element);
    }
    return [...needs];
  }
}

/**
 * Tells whether a block is left out: background, or a record of document control. Nothing in the procedure is
 * background.
 */
function isLeftOut<T extends ReadingElement<T>>(element: T, section: Section<T>): boolean {
  const { heading, kind } = section;
  if (isWarning(element) || heading === null || kind === "procedure") return false;
  const title = titleOf(section);
  return isControl(title) ? isRecord(element) : isBackground(title) || kind === "records";
}

const date =
  /\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{1,2}\.? \p{L}{3,}\.? \d{4}|\p{L}{3,}\.? \d{1,2}, \d{4}/u
    .source;
const dateAlone = new RegExp(`^\\s*(?:${date})\\s*$`, "u");
const dateFirst = new RegExp(`^\\s*(?:\\p{L}*[\\s.]*\\d+(?:\\.\\d+)*[\\s:,(–-]+)?(?:${date})`, "u");

/**
 * Tells whether an element is a table or list of names, versions and dates. The words beside a date describe a change,
 * so they can be any words.
 */
function isRecord<T extends ReadingElement<T>>(element: T): boolean {
  const rows = rowsOf(element);
  const isDated = (row: T) =>
    tagOf(row) === "li"
      ? dateFirst.test(row.textContent ?? "")
      : Array.from(row.children).some((cell) => dateAlone.test(cell.textContent ?? ""));
  if (rows.length > 0 && rows.every(isDated)) return true;
  return /^(?:table|[ou]l)$/.test(tagOf(element)) && !saysProtection(element);
}

/** The items of a list, or the rows of a table without header rows. */
function rowsOf<T extends ReadingElement<T>>(element: T): T[] {
  const tag = tagOf(element);
  const children = Array.from(element.children);
  if (tag === "li" || (tag === "tr" && children.some((cell) => tagOf(cell) === "td"))) return [element];
  return /^(?:table|thead|tbody|tfoot|[ou]l)$/.test(tag) ? children.flatMap((child) => rowsOf(child)) : [];
}

function sectionsOf<T extends ReadingElement<T>>(all: readonly T[]): Section<T>[] {
  const text: Section<T> = { heading: null, at: 0, level: 0, kind: null, around: null };
  let section = text;
  return all.map((element, at) => {
    // footnotes belong to the whole text
    if (/(?:^| )footnotes(?: |$)/.test(element.className)) return text;
    const level = levelOf(element);
    if (level > 0) {
      let around = section;
      while (around.level >= level && around.around !== null) around = around.around;
      const kinds = around.kind === "procedure" ? [] : kindsOf(element.textContent ?? "");
      const kind = kinds.includes("procedure") ? "procedure" : (kinds[0] ?? around.kind);
      section = { heading: element, at, level, kind, around };
    }
    return section;
  });
}

/** The section, followed by those around it. */
function outwards<T>(section: Section<T>): Section<T>[] {
  return section.around === null ? [section] : [section, ...outwards(section.around)];
}

const isWithin = <T>(section: Section<T>, outer: Section<T>) => outwards(section).includes(outer);

const titleOf = <T extends ReadingElement<T>>({ heading }: Section<T>) => heading?.textContent ?? "";

/** The index at which the procedure begins, or the section of a step outside of a procedure. */
function beginOf<T>(section: Section<T>, list: number): number {
  const begin = outwards(section).findLast(({ kind }) => kind === "procedure") ?? section;
  return begin.heading === null ? list : begin.at;
}

/**
 * Tells whether an element is shown by itself. A heading is shown with the text below it, unless its words protect the
 * reader.
 */
function isBlock<T extends ReadingElement<T>>(element: T): boolean {
  return levelOf(element) > 0 ? saysProtection(element) : tagOf(element) !== "hr";
}

function isSteps<T extends ReadingElement<T>>(element: T, withChecks: boolean): boolean {
  if (element.children.length === 0) return false;
  const tag = tagOf(element);
  return tag === "ol" || (withChecks && tag === "ul" && /(?:^| )contains-task-list(?: |$)/.test(element.className));
}
