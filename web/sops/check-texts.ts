export const texts = {
  title: "Checks",
  loading: "Checking the text…",
  failed: "The text could not be checked.",
  nothing: "Nothing to settle",
  details: "Details",
  whole: "The text as a whole",
  /** Who writes in the rich editor sees headings, who writes the source sees lines. */
  place: (line: number, section: string | null) => (section === null ? `Line ${line}` : `${section}, line ${line}`),
  more: (count: number) => `And ${count} more.`,
  stops: (count: number) => `${count} ${count === 1 ? "stops" : "stop"} publishing`,
} as const;
