/**
 * Finds the author's folds (`<details>`) that views show open: those with content that protects the reader or in an
 * unknown language, those outside of the steps, and those with only a few sentences.
 */
import { tagNameOf, type ReadingElement } from "./element.ts";
import { isProtecting, isTooShortToFold, linesOfElement } from "./folded-start.ts";
import { isInKnownLanguage } from "./known-language.ts";
import { readingSteps, type ReadingSteps } from "./reading-steps.ts";

/**
 * @param elements the top level of the rendered text
 * @param reading the steps of the text, if the caller has them
 */
export function foldsToOpen<T extends ReadingElement<T>>(
  elements: ArrayLike<T>,
  { steps, needs }: ReadingSteps<T> = readingSteps<T>(elements),
): T[] {
  const beside = new Set(steps.length > 0 ? needs : []);
  const foldsIn = (element: T, isBeside: boolean): T[] => {
    const inner = Array.from(element.children).flatMap((child) => foldsIn(child, isBeside));
    if (tagNameOf(element) !== "details") return inner;
    const summary = Array.from(element.children).find((child) => tagNameOf(child) === "summary");
    const isOpen =
      isBeside ||
      isTooShortToFold([element]) ||
      isProtecting<T>(element) ||
      !isInKnownLanguage(linesOfElement<T>(element, summary));
    return isOpen ? [element, ...inner] : inner;
  };
  return Array.from(elements).flatMap((element) => foldsIn(element, beside.has(element)));
}
