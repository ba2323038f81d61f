/** Decides which content before the steps is folded on a phone: background without words that protect the reader. */
import { isInKnownLanguage } from "./known-language.ts";
import { hasSafetyContent } from "./protection.ts";
import { isBackgroundTitle } from "../markdown/section-names.ts";
import { classesOf, isHazardBox, headingLevelOf, type ReadingElement } from "./element.ts";

interface FoldedSection {
  level: number;
  begin: number;
  /** The index after the section's own text, which ends at the next heading. */
  end: number;
  isFolded: boolean;
}

/**
 * Returns for each top-level element whether it is folded. A section is folded if its heading names only background, it
 * contains no warning, table, image or protecting words, its language is known, and each section inside it can be
 * folded. Nothing is folded if the folded text would have only a few sentences.
 * @param begin the index at which the steps begin
 */
export function foldedStartFlags<T extends ReadingElement<T>>(elements: ArrayLike<T>, begin: number): boolean[] {
  const all = Array.from(elements);
  const sections = foldableSectionsOf(all);
  // inner sections come first, because an outer section depends on them
  for (const [at, section] of [...sections.entries()].toReversed()) {
    const inner = innerSectionsOf(sections, at);
    const own = all.slice(section.begin + 1, section.end);
    const isOnlyHeading = own.length === 0 && inner.length > 0;
    section.isFolded =
      section.end <= begin &&
      (isOnlyHeading || isBackgroundTitle(all[section.begin]?.textContent ?? "")) &&
      !own.some((element) => isProtecting(element)) &&
      (own.length === 0 || isInKnownLanguage(own.map((element) => linesOfElement(element)).join("\n"))) &&
      inner.every(({ isFolded }) => isFolded);
  }
  const isFolded = all.map((_, at) => sections.some((one) => one.isFolded && one.begin <= at && at < one.end));
  return isTooShortToFold(all.filter((_, at) => isFolded[at])) ? all.map(() => false) : isFolded;
}

/** The maximum length in characters of a text that is not folded: a third of a phone's screen. */
const shortText = 300;

export function isTooShortToFold<T extends ReadingElement<T>>(elements: readonly T[]): boolean {
  return textOf(elements).length <= shortText;
}

const inOneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const textOf = <T extends ReadingElement<T>>(elements: readonly T[]) =>
  elements.map(({ textContent }) => inOneLine(textContent ?? "")).join(" ");

/**
 * Returns the text with each inner element on separate lines, because a single list item or bold text can be a warning.
 *
 * @param shown a child to leave out, because it is visible anyway
 */
export function linesOfElement<T extends ReadingElement<T>>(element: T, shown?: T): string {
  const text = element.textContent ?? "";
  const lines: string[] = [];
  let at = 0;
  for (const child of Array.from(element.children)) {
    const inner = child.textContent ?? "";
    const begin = Math.max(at, text.indexOf(inner, at));
    lines.push(inOneLine(text.slice(at, begin)), child === shown ? "" : linesOfElement<T>(child));
    at = begin + inner.length;
  }
  return [...lines, inOneLine(text.slice(at))].join("\n");
}

function foldableSectionsOf<T extends ReadingElement<T>>(all: readonly T[]): FoldedSection[] {
  const begins = [...all.keys()].filter((at) => headingLevelOf(all[at] as T) > 0);
  return begins.map((begin, index) => ({
    level: headingLevelOf(all[begin] as T),
    begin,
    end: begins[index + 1] ?? all.length,
    isFolded: false,
  }));
}

function innerSectionsOf(sections: readonly FoldedSection[], at: number): FoldedSection[] {
  const level = sections[at]?.level ?? 0;
  const after = sections.slice(at + 1);
  const end = after.findIndex((one) => one.level <= level);
  return end < 0 ? after : after.slice(0, end);
}

/**
 * Tells whether an element is never folded: hazards, important notes, tables, images, and text with line breaks,
 * because `hasSafetyContent` can't separate such lines.
 */
export function isAlwaysVisible<T extends ReadingElement<T>>(element: T): boolean {
  if (isHazardBox(element) || classesOf(element).includes("alert-important")) return true;
  return (
    /^(?:table|img|figure|br)$/i.test(element.tagName) ||
    Array.from(element.children).some((child) => isAlwaysVisible(child))
  );
}

/** Tells whether an element is never folded, or its words protect the reader. */
export function isProtecting<T extends ReadingElement<T>>(element: T): boolean {
  return isAlwaysVisible<T>(element) || hasProtectingWords<T>(element);
}

/**
 * Tells whether the words of an element protect the reader. Inner elements are also checked one by one, because their
 * words can follow each other without a space.
 */
export function hasProtectingWords<T extends ReadingElement<T>>(element: T): boolean {
  return (
    hasSafetyContent(element.textContent ?? "") ||
    Array.from(element.children).some((child) => hasProtectingWords<T>(child))
  );
}
