export type EnhanceKind = "clarity" | "detail" | "improve" | "formatting" | "rules";

export const texts = {
  button: "AI Enhance",
  byAi: "By AI: you accept or reject each change",
  byRules: "By rules, without AI",
  noContent: "No Content",
  noContentText: "Add some content first before enhancing.",
  done: "Content Enhanced",
  doneByAi: "AI has improved your SOP content.",
  doneByRules: "The rules have tidied your SOP content.",
  failed: "Enhancement Failed",
  failedByAi: "Failed to enhance content with AI.",
  failedByRules: "Failed to tidy the content.",
  cancel: "Cancel",
  discard: "Keep my text",
  accept: "Accept",
  reject: "Reject",
  acceptAll: "Accept all",
  acceptRest: "Accept all that lose nothing",
  rejectAll: "Reject all",
  stale: "Not applied: you changed this place meanwhile",
  nothing: "Nothing to change",
  nothingByAi: "The AI proposes no change to this text.",
  nothingByRules: "The rules find nothing that they could put right themselves.",
  left: "What rules find besides stands under the text, in Checks.",
  madeByRules: "Proposed by the writing rules; no AI was asked.",
  madeBy: (model: string, prompt: string) => `Proposed by AI: ${model}, ${prompt}.`,
  apply: (count: number) => (count === 0 ? "Apply" : `Apply ${count} ${count === 1 ? "change" : "changes"}`),
  counts: (accepted: number, open: number, stale: number) =>
    [`${accepted} accepted`, open > 0 && `${open} to decide`, stale > 0 && `${stale} not applied, changed meanwhile`]
      .filter(Boolean)
      .join(" · "),
  dropped: (count: number) => `${count} ${count === 1 ? "proposal was" : "proposals were"} left out`,
  droppedFor: {
    "no such block": "names a place that is not in the text",
    "edited already": "the same place twice",
    "changes nothing": "changes nothing",
    "adds errors": "adds errors that stop approval",
    "loses what must stay": "would lose",
    "not tried": "too many bad proposals before it",
  },
} as const;

export const kinds: Record<EnhanceKind, { label: string; hint: string; running: string }> = {
  clarity: {
    label: "Clarity",
    hint: "Says the same in plainer words",
    running: "AI is rewording for clarity…",
  },
  detail: {
    label: "Detail",
    hint: "Adds blanks to confirm where something is missing",
    running: "AI is looking for missing detail…",
  },
  improve: { label: "Improve", hint: "What the rules find, and clarity", running: "AI is improving the text…" },
  formatting: { label: "Formatting", hint: "Canonical form and every safe fix", running: "Tidying the text by rules…" },
  rules: { label: "Formatting", hint: "Canonical form and every safe fix", running: "Tidying the text by rules…" },
};
