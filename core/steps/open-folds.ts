/**
 * Finds the author's folds that views open: those with content that protects the reader, those outside of the steps, and
 * those that hide only a few sentences or a language whose words we don't know.
 */
import { tagNameOf, type ReadingElement } from "./element.ts";
import { isProtecting, isShort, linesOf } from "./folded-start.ts";
import { isInKnownLanguage } from "./known-language.ts";
import { readingSteps, type ReadingSteps } from "./reading-steps.ts";

/**
 * @param elements the top level of the rendered text
 * @param reading its steps, if the caller has them
 */
export function openFolds<T extends ReadingElement<T>>(
  elements: ArrayLike<T>,
  { steps, needs }: ReadingSteps<T> = readingSteps<T>(elements),
): T[] {
  const beside = new Set(steps.length > 0 ? needs : []);
  const foldsIn = (element: T, isBeside: boolean): T[] => {
    const inner = Array.from(element.children).flatMap((child) => foldsIn(child, isBeside));
    if (tagNameOf(element) !== "details") return inner;
    const summary = Array.from(element.children).find((child) => tagNameOf(child) === "summary");
    const isOpen =
      isBeside || isShort([element]) || isProtecting<T>(element) || !isInKnownLanguage(linesOf<T>(element, summary));
    return isOpen ? [element, ...inner] : inner;
  };
  return Array.from(elements).flatMap((element) => foldsIn(element, beside.has(element)));
}
