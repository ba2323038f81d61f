/** The kinds of a change of a text. They have their own file because the schemas of the API load it. */
export const changeKinds = [
  "unit",
  "figure",
  "part",
  "word",
  "warning",
  "role",
  "name",
  "steps",
  "order",
  "cell",
  "check box",
  "language",
  "text",
] as const;
export type MeaningChangeKind = (typeof changeKinds)[number];

/** A certain or possible change of meaning, which a person has to check. */
export interface MeaningChange {
  kind: MeaningChangeKind;
  /** The old words as written; empty for an addition. */
  before: string;
  /** The new words; empty for a removal. */
  after: string;
}
