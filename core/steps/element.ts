/** An element of rendered HTML, in a browser or in a tree. */
import { isHazard } from "../markdown/alert-grades.ts";

/** The properties of an element that the rules of steps need. A browser's `Element` has all of them. */
export interface ReadingElement<T> {
  readonly id: string;
  /** The tag name, in any letter case. */
  readonly tagName: string;
  readonly textContent: string | null;
  readonly children: ArrayLike<T>;
  getAttribute(name: string): string | null;
}

export interface ReadingStep<T> {
  /** The number as in the step's list; each list can start again. Null in a checklist. */
  number: number | null;
  /** The nearest heading above; null if there is none. */
  section: T | null;
  /** All headings above, the outermost first. The last one is `section`. */
  headings: readonly T[];
  /** Warnings to show before the step: those in its item, and for a list's first step also those above the list. */
  warnings: T[];
  /** Warnings above the step's list; only for the list's first step. */
  above: T[];
  /**
   * Earlier steps whose `above` warnings also apply to this step: the first step of all, and the last one of each
   * section around it.
   */
  under: readonly ReadingStep<T>[];
  /** The text above the step's list. Text of another section follows the heading of that section. */
  before: T[];
  item: T;
  /** The text after the step's list, and following sections without steps. */
  after: T[];
}

/** Returns the classes of an element, from its attribute, because `className` of an SVG in a browser is no string. */
export const classesOf = (element: Pick<ReadingElement<unknown>, "getAttribute">): string[] =>
  (element.getAttribute("class") ?? "").split(/\s+/);

/** Tells whether an element is an alert about a hazard. */
export const isHazardBox = (element: Pick<ReadingElement<unknown>, "getAttribute">): boolean =>
  classesOf(element).some((name) => name.startsWith("alert-") && isHazard(name.slice("alert-".length)));

/** Returns the tag name in lower case, because browsers have `OL` and trees `ol`. */
export const tagNameOf = <T extends ReadingElement<T>>(element: T) => element.tagName.toLowerCase();
export const headingLevelOf = <T extends ReadingElement<T>>(element: T) =>
  Number(/^h([1-6])$/.exec(tagNameOf(element))?.[1] ?? 0);
