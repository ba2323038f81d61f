/** Said of a finding in the text and in the list beside it. */
export const texts = {
  found: "Findings here",
  severities: { error: "Error", warning: "Warning", info: "Hint" },
  stops: "Stops approval and publishing",
  fix: "Fix",
  fixOf: (message: string) => `Fix: ${message}`,
  changed: "The text changed here. It is checked again when you rest.",
  next: "Next finding",
  close: "Close",
} as const;
