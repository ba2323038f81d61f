export const textNoteTexts = {
  saved: "The saved text differs from what you wrote",
  pasted: "Part of the pasted text changed",
  pastedLines: (lines: readonly string[]) =>
    (lines.length <= 3 ? lines : [...lines.slice(0, 2), `and ${lines.length - 2} other kinds of changes`]).join("\n"),
  show: "Show",
  showAll: "Show all",
  close: "Close",
  more: (count: number) => `${count} more`,
} as const;
