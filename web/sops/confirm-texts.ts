export const confirmTexts = {
  cancel: "Cancel",
  unpublishAsk: "Unpublish this SOP?",
  unpublishText: "Readers lose it at once. The text stays as a draft.",
  archiveAsk: "Archive this SOP?",
  archiveText: "It leaves lists and search, and is no longer in force. It can be unarchived.",
  removeText: "It can be brought back for 30 days.",
} as const;
