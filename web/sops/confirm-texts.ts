export const confirmTexts = {
  cancel: "Cancel",
  unpublishAsk: "Unpublish this SOP?",
  unpublishText: "Readers lose it at once. The text stays as a draft.",
  archiveAsk: "Archive this SOP?",
  archiveText: "Readers can't see it anymore. You can unarchive it.",
  removeText: "It can be brought back for 30 days.",
} as const;
