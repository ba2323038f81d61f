/** An element of a rendered text, in a browser or in a tree. */
import { isHazard } from "../markdown/alert-grades.ts";

/** What is read of an element. A browser's `Element` has all of it. */
export interface ReadingElement<T> {
  readonly id: string;
  /** In any letter case. */
  readonly tagName: string;
  readonly textContent: string | null;
  readonly children: ArrayLike<T>;
  getAttribute(name: string): string | null;
}

export interface ReadingStep<T> {
  /** As its list numbers it: each list can begin anew. Null in a check list. */
  number: number | null;
  /** The nearest heading above, if there is one. */
  section: T | null;
  /** Warnings that belong before it: from its item, and from above it. */
  warnings: T[];
  /** Those from above its list, for the list's first step. */
  above: T[];
  /** The steps before it whose `above` holds for it too: the first of all, and the last of each section around it. */
  under: readonly ReadingStep<T>[];
  /** The text above its list. Text of another section is below the heading of that section. */
  before: T[];
  item: T;
  /** What follows its list, and the sections after it that have no step. */
  after: T[];
}

/** Read from the attribute, because `className` of an SVG in a browser is no string. */
export const classesOf = (element: Pick<ReadingElement<unknown>, "getAttribute">): string[] =>
  (element.getAttribute("class") ?? "").split(/\s+/);

/** A box that names a hazard. */
export const isWarning = (element: Pick<ReadingElement<unknown>, "getAttribute">): boolean =>
  classesOf(element).some((name) => name.startsWith("alert-") && isHazard(name.slice("alert-".length)));

/** `OL`, `ol` → `ol` */
export const tagOf = <T extends ReadingElement<T>>(element: T) => element.tagName.toLowerCase();
export const levelOf = <T extends ReadingElement<T>>(element: T) => Number(/^h([1-6])$/.exec(tagOf(element))?.[1] ?? 0);
