/** Finds the steps in the HTML of a text, and collapses the text before them for phones. */
import { hazardKinds, type HazardKind } from "#core/markdown/alert-grades.ts";
import { isProcedureTitle } from "#core/markdown/section-names.ts";
import { foldedStartFlags } from "#core/steps/folded-start.ts";
import { shortHash } from "#core/text/short-hash.ts";
import { foldsToOpen } from "#core/steps/open-folds.ts";
import { isInKnownLanguage } from "#core/steps/known-language.ts";
import { hasSafetyContent } from "#core/steps/protection.ts";
import type { ReadingStep } from "#core/steps/element.ts";
import { readingSteps, type ReadingSteps } from "#core/steps/reading-steps.ts";
import { isShortDescription } from "./description.ts";

export interface TextStep {
  /** An id that stays the same while the step's words and images do. */
  id: string;
  /** A hash of all that the step's screen shows: the step, and the warnings and other blocks around it. */
  readonly screenHash: string;
  /** The number in the step's list; null in a checklist. */
  number: number | null;
  /** The headings above, the outermost first: `Part A › Cleaning`. Null without headings. */
  section: string | null;
  /** The first line of the step up to its first period, for lists of steps. */
  brief: string;
  /** The HTML of the step's own warnings. */
  warnings: string;
  /** The HTML of warnings of earlier steps that still apply to this step. */
  readonly earlier: string;
  /** The HTML of the text above the step's list. */
  before: string;
  /** The HTML of the step itself, without its warnings. */
  item: string;
  /** The HTML of the text after the step's list. */
  after: string;
  hasImage: boolean;
}

const parseHtmlBody = (html: string) => new DOMParser().parseFromString(html, "text/html").body;
const visibleTextOf = (element: Node | null) => (element?.textContent ?? "").replace(/\s+/g, " ").trim();

const inline = "a, br, code, del, em, img, input, kbd, strong, sub, sup";

/** Parses the text. Words outside all blocks get a paragraph. */
function parseTextBody(html: string): HTMLElement {
  const body = parseHtmlBody(html);
  let line: ChildNode[] = [];
  for (const node of [...body.childNodes, null]) {
    if (node !== null && (!(node instanceof Element) || node.matches(inline))) {
      line.push(node);
      continue;
    }
    if (line.some((one) => one instanceof Text && visibleTextOf(one) !== "")) {
      const paragraph = body.ownerDocument.createElement("p");
      line[0]?.before(paragraph);
      paragraph.append(...line);
    }
    line = [];
  }
  return body;
}

interface ParsedSteps {
  html: string;
  /** The parsed text, with the folds open that views open. It is shared, so no function changes it. */
  body: HTMLElement;
  reading: ReadingSteps<Element>;
  steps?: TextStep[];
}

let last: ParsedSteps | null = null;

/** Parses a text and finds its steps. Caches the last text, because several parts of a screen read the same text. */
export function parseStepsOfText(html: string): ParsedSteps {
  if (last?.html === html) return last;
  const body = parseTextBody(html);
  const reading = readingSteps<Element>(body.children);
  if (html.includes("<details")) {
    for (const fold of foldsToOpen<Element>(body.children, reading)) fold.setAttribute("open", "");
  }
  last = { html, body, reading };
  return last;
}

export function stepsOfText(html: string): TextStep[] {
  const read = parseStepsOfText(html);
  return (read.steps ??= read.reading.steps.map(textStepOf));
}

/**
 * Returns the HTML that says what to wear, have and know before the first step, with the SOP's description; empty if
 * the text has none. A description alone is returned only if it names protective equipment.
 */
export function needsHtmlOf(html: string, description = ""): string {
  const { needs } = parseStepsOfText(html).reading;
  return outerHtmlOf(
    isDescriptionNeeded(needs, description) ? [...descriptionParagraph(description), ...needs] : needs,
  );
}

const isDescriptionNeeded = (needs: readonly Element[], description: string) =>
  needs.length > 0 || hasSafetyContent(description);

/** Returns a description as a paragraph, or nothing if it is blank. */
function descriptionParagraph(description: string): Element[] {
  const paragraph = document.createElement("p");
  paragraph.textContent = description;
  return description.trim() === "" ? [] : [paragraph];
}

/** A section that a screen folds: its heading, and the beginning of the text below it. */
export interface SectionBeginning {
  title: string;
  beginning: string;
}

/** Returns the text that no screen of the steps shows, as HTML and by section. The first section is the description. */
export function leftOutTextOf(html: string, description = ""): { html: string; sections: SectionBeginning[] } {
  const { needs, leftOut } = parseStepsOfText(html).reading;
  const lead = isDescriptionNeeded(needs, description) ? [] : descriptionParagraph(description);
  return {
    html: outerHtmlOf([...lead, ...leftOut]),
    sections: [lead, leftOut].flatMap(sectionBeginningsOf),
  };
}

/** Opens the folds of a shown text that contain safety information. Other folds show the beginning of their text. */
export function openShownFolds(shown: Element, html: string, notOfTextAttribute: string): void {
  const read = parseStepsOfText(html).body.querySelectorAll("details");
  for (const [at, fold] of shown.querySelectorAll("details").entries()) fold.open ||= read[at]?.open === true;
  showFoldBeginnings(shown, notOfTextAttribute);
}

function showFoldBeginnings(text: Element, notOfTextAttribute: string): void {
  for (const fold of text.querySelectorAll("details:not([open])")) {
    const [summary, ...rest] = fold.children;
    if (summary?.tagName !== "SUMMARY" || summary.querySelector(".fold-beginning") !== null) continue;
    const line = text.ownerDocument.createElement("span");
    line.className = "fold-beginning";
    line.setAttribute(notOfTextAttribute, "");
    line.textContent = beginningOf(rest.map(visibleTextOf).join(" "));
    summary.append(line);
  }
}

/** Returns the HTML of elements for the Steps screen, where no part is folded. */
function outerHtmlOf(elements: readonly Element[]): string {
  return elements.map((element) => withOpenFolds(element.cloneNode(true) as Element).outerHTML).join("");
}

function withOpenFolds(element: Element): Element {
  if (element instanceof HTMLDetailsElement) element.open = true;
  for (const fold of element.querySelectorAll("details")) fold.open = true;
  return element;
}

const elementHashes = new WeakMap<Element, string>();

/** Returns a hash of the element. Caches it, because a long warning is on the screens of many steps. */
function elementHash(element: Element): string {
  const known = elementHashes.get(element);
  if (known !== undefined) return known;
  const hash = shortHash(element.outerHTML);
  elementHashes.set(element, hash);
  return hash;
}

function textStepOf(step: ReadingStep<Element>, at: number): TextStep {
  const { number, headings, warnings, under, before, item, after } = step;
  const section = sectionPathText(headings.map(visibleTextOf));
  const earlier = () => under.flatMap(({ above }) => above);
  const own = withOpenFolds(item.cloneNode(true) as Element);
  for (const child of own.querySelectorAll(":scope > .alert")) {
    if (warnings.some((warning) => warning.isEqualNode(child))) child.remove();
  }
  own.querySelector("input[type=checkbox]")?.remove();
  return {
    // HTML from a server of the previous version has no ids for steps.
    id: item.id || `${at} ${item.innerHTML}`,
    get screenHash() {
      const parts = [earlier(), warnings, before, after].map((elements) => elements.map(elementHash).join());
      return shortHash([section, item.innerHTML, ...parts].join("\n"));
    },
    number,
    section,
    brief: stepSummaryOf(own),
    warnings: outerHtmlOf(warnings),
    // A getter, so that long warnings aren't copied for each step.
    get earlier() {
      return outerHtmlOf(earlier());
    },
    before: outerHtmlOf(before),
    item: own.innerHTML,
    after: outerHtmlOf(after),
    hasImage: own.querySelector("img") !== null,
  };
}

/** Returns the headings above a step as one line, without outer headings such as "Procedure"; null without headings. */
function sectionPathText(headings: readonly string[]): string | null {
  const shown = headings.filter((title, at) => at === headings.length - 1 || !isProcedureTitle(title));
  return shown.length === 0 ? null : shown.join(" › ");
}

/** Returns the first line of a step, up to its first period or semicolon. */
function stepSummaryOf(item: Element): string {
  const line = item.cloneNode(true) as Element;
  for (const block of line.querySelectorAll("ol, ul, table, pre, figure, .alert, p ~ p")) block.remove();
  const words = visibleTextOf(line);
  return /^.{10,}?[.;](?= |$)/.exec(words)?.[0].replace(/[.;]$/, "") ?? words;
}

/** Returns the text of the most severe warning, without its title. */
export function mostSevereWarningText(warnings: string): string {
  const body = parseHtmlBody(warnings);
  return visibleTextOf(body.querySelector(`.alert-${mostSevereHazardIn(body)} > :not(.alert-title)`));
}

function mostSevereHazardIn(body: Element): HazardKind {
  return hazardKinds.find((kind) => body.querySelector(`.alert-${kind}`) !== null) ?? "notice";
}

/** Returns the number of warnings, the most severe kind, and whether they need more than a few lines on a phone. */
export function warningsSummaryOf(html: string): { count: number; isLong: boolean; gravest: HazardKind } {
  const body = parseHtmlBody(html);
  const isLarge = body.querySelector("img, table, pre") !== null;
  return {
    count: body.children.length,
    isLong: isLarge || visibleTextOf(body).length > 320,
    gravest: mostSevereHazardIn(body),
  };
}

const isHeading = ({ tagName }: Element) => /^H[1-6]$/.test(tagName);

/** The length of a section's beginning: more characters than a line of a phone or a desktop screen shows. */
const beginningCharacters = 120;
const beginningOf = (words: string) => [...words].slice(0, beginningCharacters).join("");

function sectionBeginningsOf(elements: readonly Element[]): SectionBeginning[] {
  const sections: SectionBeginning[] = [];
  for (const element of elements) {
    const words = visibleTextOf(element);
    const last = sections.at(-1);
    if (isHeading(element)) sections.push({ title: words, beginning: "" });
    else if (last) last.beginning = beginningOf(`${last.beginning} ${words}`.trim());
    else sections.push({ title: "", beginning: beginningOf(words) });
  }
  return sections;
}

interface CollapseOptions {
  /** The SOP's description. A long one is collapsed too. */
  description: string;
  /** The attribute of elements that aren't the author's text. */
  notOfTextAttribute: string;
  /** True if nothing is collapsed. */
  isWhole: boolean;
}

/**
 * Collapses the part before the steps. A long description is collapsed with that part, unless it contains safety
 * information.
 */
export function withFoldedStart(html: string, { description, notOfTextAttribute, isWhole }: CollapseOptions): string {
  const { body: shared, reading } = parseStepsOfText(html);
  const { begin, steps } = reading;
  const body = shared.cloneNode(true) as HTMLElement;
  const createPart = (tag: string, words: string): Element => {
    const element = body.ownerDocument.createElement(tag);
    element.setAttribute(notOfTextAttribute, "");
    element.textContent = words;
    return element;
  };
  const isFolded = foldedStartFlags<Element>(body.children, begin);
  const background = [...body.children].filter((_, at) => isFolded[at]);
  const lead = description.trim() === "" || isShortDescription(description) ? [] : [createPart("p", description)];
  showFoldBeginnings(body, notOfTextAttribute);
  if (isWhole || steps.length === 0 || background.length === 0) {
    body.prepend(...lead);
    return body.innerHTML;
  }
  const isLeadShown = hasSafetyContent(description) || !isInKnownLanguage(description);
  const folded = [...(isLeadShown ? [] : lead), ...background];
  const summary = createPart("summary", "");
  for (const { title, beginning } of sectionBeginningsOf(folded)) {
    const line = body.ownerDocument.createElement("span");
    const heading = body.ownerDocument.createElement("b");
    const start = body.ownerDocument.createElement("span");
    heading.textContent = title;
    start.className = "fold-beginning";
    start.textContent = beginning;
    line.append(heading, " ", start);
    summary.append(line);
  }
  const fold = body.ownerDocument.createElement("details");
  fold.className = "before-steps";
  fold.append(summary, ...folded);
  body.prepend(...(isLeadShown ? lead : []), fold);
  return body.innerHTML;
}

/** An entry of the contents: a heading with the steps below it. */
export interface StepGroup {
  section: string | null;
  steps: { step: TextStep; at: number }[];
}

export function stepGroupsOf(steps: readonly TextStep[]): StepGroup[] {
  const groups: StepGroup[] = [];
  for (const [at, step] of steps.entries()) {
    const last = groups.at(-1);
    if (last && last.section === step.section) last.steps.push({ step, at });
    else groups.push({ section: step.section, steps: [{ step, at }] });
  }
  return groups;
}

/** Says whether the lists number the steps 1, 2, 3 … from the first to the last. */
export function isNumberedThrough(steps: readonly TextStep[]): boolean {
  return steps.every(({ number }, at) => number === at + 1);
}
