/** What other tools call their boxes → GitHub's five. MkDocs has a dozen kinds, and others took its names. */
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
