export const texts = {
  title: "Checks",
  loading: "Checking the text…",
  failed: "The text could not be checked.",
  nothing: "The rules find nothing to settle.",
  /** Who writes in the rich editor sees headings, who writes the source sees lines. */
  place: (line: number, section: string | null) =>
    line === 0 ? "Details" : section === null ? `Line ${line}` : `${section}, line ${line}`,
  more: (count: number) => `And ${count} more.`,
  summary: (stops: number, others: number) =>
    [
      stops > 0 && `${stops} ${stops === 1 ? "stops" : "stop"} publishing`,
      others > 0 && `${others} ${others === 1 ? "suggestion" : "suggestions"}`,
    ]
      .filter(Boolean)
      .join(" · ") || "Nothing to settle",
} as const;
