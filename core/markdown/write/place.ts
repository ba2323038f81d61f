/**
 * The kind of place that inline content is written to. Each kind has its own characters that must not become markup.
 */
export interface InlineContext {
  kind: "paragraph" | "heading" | "cell";
  /** True if the paragraph opens a list item, where `[ ]` would become a checkbox. */
  opensItem: boolean;
  /** Normalized labels that references could mean; those of footnotes have a leading `^`. */
  labels: ReadonlySet<string>;
  /** Writes bare addresses as `<…>`, which doesn't depend on its neighbors. */
  angled: boolean;
  /** Escapes all possible markup. This is the second try, after the minimal form was parsed differently. */
  plain: boolean;
}

/** How a character is written: as it is (0), with a backslash, or as a character reference. */
export const backslash = 1;
export const reference = 2;
