/** The steps in the HTML of a text, and the text as a phone shows it: what comes before them is folded. */
import { readingSteps, type ReadingStep } from "#core/sops/reading-steps.ts";
import { isShort } from "./description.ts";

export interface TextStep {
  number: number | null;
  /** The words of the heading above. */
  section: string | null;
  /** The first sentence, for lists of steps. */
  brief: string;
  warnings: string;
  /** Of those, the ones above its list. */
  above: string;
  before: string;
  item: string;
  after: string;
  hasImage: boolean;
}

const bodyOf = (html: string) => new DOMParser().parseFromString(html, "text/html").body;
const wordsOf = (element: Element | null) => (element?.textContent ?? "").replace(/\s+/g, " ").trim();

let last: { html: string; steps: TextStep[] } | null = null;

/** Several parts of a screen ask for the same text. */
export function textSteps(html: string): TextStep[] {
  if (last?.html !== html) last = { html, steps: readingSteps<Element>(bodyOf(html).children).steps.map(textStep) };
  return last.steps;
}

function textStep({ number, section, warnings, above, before, item, after }: ReadingStep<Element>): TextStep {
  const own = item.cloneNode(true) as Element;
  for (const child of own.querySelectorAll(":scope > .alert")) {
    if (warnings.some((warning) => warning.isEqualNode(child))) child.remove();
  }
  own.querySelector("input[type=checkbox]")?.remove();
  const htmlOf = (elements: Element[]) => elements.map(({ outerHTML }) => outerHTML).join("");
  return {
    number,
    section: section && wordsOf(section),
    brief: briefOf(own),
    warnings: htmlOf(warnings),
    above: htmlOf(above),
    before: htmlOf(before),
    item: own.innerHTML,
    after: htmlOf(after),
    hasImage: own.querySelector("img") !== null,
  };
}

/** The first line of a step, to its first full stop. */
function briefOf(item: Element): string {
  const line = item.cloneNode(true) as Element;
  for (const block of line.querySelectorAll("ol, ul, table, pre, figure, .alert, p ~ p")) block.remove();
  const words = wordsOf(line);
  return /^.{10,}?[.;](?= |$)/.exec(words)?.[0].replace(/[.;]$/, "") ?? words;
}

/** The words of the first box, without its title. */
export function firstLineOf(warnings: string): string {
  return wordsOf(bodyOf(warnings).querySelector(".alert > :not(.alert-title)"));
}

/** How many boxes there are, and whether they take more room than a few lines on a phone. */
export function warningsIn(html: string): { count: number; isLong: boolean } {
  const body = bodyOf(html);
  const isLarge = body.querySelector("img, table, pre") !== null;
  return { count: body.children.length, isLong: isLarge || wordsOf(body).length > 320 };
}

interface Start {
  /** Of the SOP: a long one is in the fold too. */
  description: string;
  /** The name of a fold with nothing but the description. */
  fallback: string;
  /** The attribute of what isn't the author's text. */
  notOfText: string;
}

/** The same HTML with the description and all before the steps in a closed fold; its warnings stay in view. */
export function withFoldedStart(html: string, { description, fallback, notOfText }: Start): string {
  const body = bodyOf(html);
  const { begin, steps } = readingSteps<Element>(body.children);
  const make = (tag: string, words: string): Element => {
    const element = body.ownerDocument.createElement(tag);
    element.setAttribute(notOfText, "");
    element.textContent = words;
    return element;
  };
  const start = [...body.children].slice(0, begin);
  const kept = start.filter(({ classList }) =>
    ["warning", "caution", "danger"].some((kind) => classList.contains(`alert-${kind}`)),
  );
  const lead = description.trim() === "" || isShort(description) ? [] : [make("p", description)];
  const folded = [...lead, ...start.filter((element) => !kept.includes(element))];
  if (folded.length === 0) return html;
  if (steps.length === 0) {
    body.prepend(...lead);
    return body.innerHTML;
  }
  const fold = body.ownerDocument.createElement("details");
  fold.className = "before-steps";
  const headings = start.filter(({ tagName }) => /^H[1-6]$/.test(tagName)).map(wordsOf);
  const name = headings.join(" · ") || wordsOf(folded[lead.length] ?? null) || fallback;
  fold.append(make("summary", name), ...folded);
  body.prepend(fold, ...kept);
  return body.innerHTML;
}

/** What 'contents' lists: each heading that steps are below, with them. */
export interface StepGroup {
  section: string | null;
  steps: { step: TextStep; at: number }[];
}

export function groupsOf(steps: readonly TextStep[]): StepGroup[] {
  const groups: StepGroup[] = [];
  for (const [at, step] of steps.entries()) {
    const last = groups.at(-1);
    if (last && last.section === step.section) last.steps.push({ step, at });
    else groups.push({ section: step.section, steps: [{ step, at }] });
  }
  return groups;
}

/** Whether the lists number the steps 1, 2, 3 … from the first to the last. */
export function isNumberedThrough(steps: readonly TextStep[]): boolean {
  return steps.every(({ number }, at) => number === at + 1);
}
