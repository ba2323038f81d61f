export const texts = {
  title: "Review this SOP",
  verdict: "Verdict",
  note: "Note",
  noteHint: "Why. It stands in the review history and in the audit log.",
  next: "Next review",
  nextHint: "Left empty: after the usual time of its category or company.",
  save: "Record verdict",
  cancel: "Cancel",
  saved: "Review recorded",
  failed: "The review could not be recorded. Please try again.",
  earlier: "Earlier reviews",
} as const;
