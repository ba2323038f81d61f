/** The alert kinds of other tools → GitHub's five. MkDocs has a dozen kinds, and other tools use its names. */
export const alertKinds: Readonly<Record<string, string>> = {
  note: "NOTE",
  tip: "TIP",
  hint: "TIP",
  success: "TIP",
  check: "TIP",
  important: "IMPORTANT",
  warning: "WARNING",
  attention: "WARNING",
  caution: "CAUTION",
  danger: "CAUTION",
  error: "CAUTION",
  failure: "CAUTION",
  bug: "CAUTION",
};
