export const confirmTexts = {
  cancel: "Cancel",
  unpublishAsk: "Unpublish this SOP?",
  unpublishText: "Readers can't see it anymore. It becomes a draft.",
  archiveAsk: "Archive this SOP?",
  archiveText: "Readers can't see it anymore. You can unarchive it later.",
  removeText: "You can restore it for 30 days.",
} as const;
