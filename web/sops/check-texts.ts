export const texts = {
  title: "Checks",
  loading: "Checking the text…",
  failed: "The text could not be checked.",
  nothing: "The rules find nothing to settle.",
  line: (line: number) => (line === 0 ? "Details" : `Line ${line}`),
  more: (count: number) => `And ${count} more.`,
  summary: (stops: number, others: number) =>
    [
      stops > 0 && `${stops} ${stops === 1 ? "stops" : "stop"} publishing`,
      others > 0 && `${others} ${others === 1 ? "suggestion" : "suggestions"}`,
    ]
      .filter(Boolean)
      .join(" · ") || "Nothing to settle",
} as const;
