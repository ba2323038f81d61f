/** A place of inline content: each has its own characters that must not become markup. */
export interface Place {
  kind: "paragraph" | "heading" | "cell";
  /** The paragraph opens a list item, where `[ ]` would become a check box. */
  opensItem: boolean;
  /** Normalised labels that references could mean; footnotes with a leading `^`. */
  labels: ReadonlySet<string>;
  /** Write bare addresses as `<…>`, which doesn't depend on what is beside them. */
  angled: boolean;
  /** Escape all possible markup: the second try, if the minimal one was parsed differently. */
  plain: boolean;
}

/** The form of a character: itself (0), with a backslash, as a character reference. */
export const backslash = 1;
export const reference = 2;
