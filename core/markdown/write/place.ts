/** Where inline content stands: each place has its own characters that must not be read as markup. */
export interface Place {
  kind: "paragraph" | "heading" | "cell";
  /** The paragraph opens a list item, where `[ ]` would become a check box. */
  opensItem: boolean;
  /** Normalised labels that references could mean; footnotes with a leading `^`. */
  labels: ReadonlySet<string>;
  /** Escape whatever could be markup anywhere: the second try, when the minimal one was read differently. */
  plain: boolean;
}

/** What a character is written as: itself (0), with a backslash, as a character reference. */
export const backslash = 1;
export const reference = 2;
