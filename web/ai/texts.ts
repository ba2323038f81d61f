/** The same three things with a model or by rules alone. */
export type By = "ai" | "rules";

export const texts = {
  close: "Close AI Assistant",
  actions: "Quick actions",
  setup: "Setup",
  retry: "Try Again",
  off: {
    "no-key": "Add a key to use AI",
    user: "Turn on AI in your settings",
    company: "Your company turned AI off",
    unknown: "Failed to fetch settings",
  },
  fromTemplate: "Create SOP from template",
  improve: "Improve existing SOP",
  suggest: "Suggest missing SOPs",
  byRules: "By rules, without AI",
  input: "Ask AI about SOPs...",
  inputWithoutAi: "Ask about your SOPs…",
  send: "Send",
  search: "Search",
  cancel: "Cancel",
  generating: "AI is generating your SOP...",
  busy: "Generating...",
  drafting: (title: string) => `Writing “${title}”`,
  checking: (title: string, steps: number) => `Checking “${title}”: ${steps} ${steps === 1 ? "step" : "steps"}`,
  progress: (characters: number, seconds: number) =>
    [characters > 0 && `${characters.toLocaleString("en")} characters`, seconds > 0 && `${seconds} s`]
      .filter(Boolean)
      .join(" · "),
  repairing: (faults: number) => `Fixing ${faults} ${faults === 1 ? "issue" : "issues"}`,
  cancelled: "Canceled. Your request is still here.",
  generated: "SOP Generated!",
  created: (title: string) => `Created "${title}" successfully.`,
  openDraft: "Open draft",
  dismiss: "Dismiss",
  assumptions: "Check the assumptions",
  findings: (counted: string) => `${counted} to look at`,
  more: (count: number) => `and ${count} more`,
  failed: "Generation Failed",
  failedText: "Failed to generate SOP. Please try again.",
  keyMissing: "OpenAI API key not configured. Please set OPENAI_API_KEY in your environment.",
  waitOver: "You can try again now.",
  wait: (when: string) => `Try again ${when}.`,
  error: "Error",
} as const;

export const templateTexts = {
  title: "Create an SOP from a template",
  failed: "Couldn't create the draft. Try again.",
  best: (words: string) => `Draft “${words}” from the template that fits best`,
  made: "Draft created",
  madeFrom: (template: string) => `From the template “${template}”.`,
} as const;

export const improveTexts = {
  title: "Improve an SOP",
  text: "Choose an SOP, then accept or reject each proposed change.",
  rulesText: "Choose an SOP, then accept or reject each change the writing rules propose.",
  search: "Search SOPs…",
  viewed: "The SOP on screen",
  others: "SOPs you can edit",
  none: "No matching SOPs you can edit.",
  failed: "Failed to load SOPs",
  loading: "Loading SOPs",
} as const;

export const suggestTexts = {
  context: "What does your team do?",
  submit: "Suggest",
  done: "Suggestions Generated!",
  found: (count: number) => `Found ${count} potential SOPs for your team.`,
  failedTitle: "Suggestions Failed",
  failed: "Couldn't suggest SOPs. Try again.",
  recent: "Recent Suggestions",
  loading: "Loading suggestions",
  loadFailed: "Couldn't load the suggestions.",
  none: "No suggestions yet. Ask for SOPs that your team may be missing.",
  sources: { ai: "AI", rules: "Rules", user: "By you" },
  evidence: "Why",
  similar: "Similar:",
  accept: "Accept",
  acceptLabel: (title: string) => `Accept ${title}`,
  dismissLabel: (title: string) => `Dismiss ${title}`,
  dismissed: "Suggestion dismissed",
  undo: "Undo",
  changeFailed: "Couldn't update the suggestion. Try again.",
  showAll: (count: number) => `Show all ${count}`,
} as const;
