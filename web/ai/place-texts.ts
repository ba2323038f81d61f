/** What of the assistant every screen shows; the rest loads with the panel. */
export const placeTexts = {
  title: "AI Assistant",
  active: "AI Assistant Active",
  open: "Open AI Assistant",
} as const;
