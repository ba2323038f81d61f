import { catalog } from "#core/language/catalog.ts";

export type EnhanceKind = "clarity" | "detail" | "improve" | "formatting" | "rules";

export const texts = catalog("sops.edit.enhance", {
  button: "AI Enhance",
  byAi: "By AI: you accept or reject each change",
  byRules: "By rules, without AI",
  noContent: "No Content",
  noContentText: "Add some content first before enhancing.",
  done: "Content Enhanced",
  doneByAi: "AI has improved your SOP content.",
  doneByRules: "The rules tidied your SOP content.",
  failed: "Enhancement Failed",
  failedByAi: "Failed to enhance content with AI.",
  failedByRules: "Failed to tidy the content.",
  cancel: "Cancel",
  discard: "Keep my text",
  accept: "Accept",
  reject: "Reject",
  acceptAll: "Accept all",
  acceptRest: "Accept all unmarked changes",
  rejectAll: "Reject all",
  stale: "Not applied: you edited this text",
  nothing: "Nothing to change",
  nothingByAi: "AI found nothing to change.",
  nothingByRules: "The rules found nothing to fix automatically.",
  left: "Other issues are listed in Checks, in the properties.",
  madeByRules: "Proposed by the writing rules, without AI.",
  madeBy: "Proposed by AI: {model}, {prompt}.",
  quoted: "“{words}”",
  changes: "{count, plural, one {# proposed change} other {# proposed changes}}",
  marked: "{count, number} marked",
  markedAs: "{count, number} marked: {counted}",
  apply: "{count, plural, =0 {Apply} one {Apply # change} other {Apply # changes}}",
  accepted: "{count, number} accepted",
  toDecide: "{count, number} to decide",
  notApplied: "{count, number} not applied, edited since",
  dropped: "{count, plural, one {# proposal was} other {# proposals were}} left out",
  droppedFor: {
    "no such block": "text not found",
    "edited already": "the same place twice",
    "changes nothing": "changes nothing",
    "adds errors": "would add errors",
    "loses what must stay": "would lose",
    "not tried": "too many bad proposals before it",
  },
});

export const kinds = catalog("sops.edit.kinds", {
  clarity: {
    label: "Clarity",
    hint: "Same meaning, plainer words",
    running: "AI is rewording for clarity…",
  },
  detail: {
    label: "Detail",
    hint: "Adds placeholders where details are missing",
    running: "AI is looking for missing detail…",
  },
  improve: { label: "Improve", hint: "Fixes issues, clearer wording", running: "AI is improving the text…" },
  formatting: { label: "Formatting", hint: "Standard format and safe fixes", running: "Tidying the text by rules…" },
  rules: { label: "Formatting", hint: "Standard format and safe fixes", running: "Tidying the text by rules…" },
}) satisfies Record<EnhanceKind, { label: string; hint: string; running: string }>;
