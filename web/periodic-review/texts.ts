export const texts = {
  title: "Review this SOP",
  outcome: "Outcome",
  note: "Note",
  noteHint: "The reason for this outcome",
  next: "Next review",
  nextHint: "Leave empty for the category or company default.",
  save: "Record review",
  cancel: "Cancel",
  saved: "Review recorded",
  failed: "Couldn't record the review. Try again.",
  earlier: "Earlier reviews",
} as const;
