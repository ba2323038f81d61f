/** What a change of a text can be about. In its own file, because the schemas of the API load it. */
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
export type ChangeKind = (typeof changeKinds)[number];

/** A change of meaning, or one that may be: a person has to look at it. */
export interface Change {
  kind: ChangeKind;
  /** As written; empty for what is new. */
  before: string;
  /** Empty for what is gone. */
  after: string;
}
