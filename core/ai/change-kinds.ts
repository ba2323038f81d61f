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
