export const missedTexts = {
  title: "This part could not be loaded",
  text: "Try again, or reload the page: there may be a newer version.",
  again: "Try Again",
  reload: "Reload",
} as const;
