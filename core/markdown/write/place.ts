/**
 * The context in which inline content is written. It decides which characters would become markup.
 */
export interface InlineContext {
  kind: "paragraph" | "heading" | "cell";
  /** True if the paragraph opens a list item, where `[ ]` would become a checkbox. */
  opensItem: boolean;
  /** Normalized labels that references could mean; those of footnotes have a leading `^`. */
  labels: ReadonlySet<string>;
  /** True to write bare addresses as `<…>`, which doesn't depend on the text around them. */
  angled: boolean;
  /** True to escape all possible markup, after the form with the fewest backslashes was parsed differently. */
  plain: boolean;
}

/** The values for a character that is written with a backslash, or as a character reference. 0 is for others. */
export const backslash = 1;
export const reference = 2;
