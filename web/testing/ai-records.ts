/** Creates answers of the AI and assistant API for tests. */
import type { GeneratedSop } from "#core/ai/schema.ts";
import type { DraftedSop } from "#core/assistant/schema.ts";
import type { UserSettings } from "#core/settings/schema.ts";
import type { Suggestion } from "#core/suggestions/schema.ts";
import { aControl, aSop } from "./records.ts";

/** Creates settings with a personal key that works and all AI features on. */
export function someSettings(change: Partial<UserSettings> = {}): UserSettings {
  return {
    openaiApiKey: "sk-••••abcd",
    hasApiKey: true,
    hasGlobalApiKey: false,
    aiFeaturesEnabled: true,
    companyAiEnabled: true,
    apiKeyProblem: null,
    mailChoices: {
      approval_requested: true,
      approval_decided: true,
      mention: true,
      comment: true,
      review_due: true,
      acknowledgement: true,
      proposal: true,
    },
    ...change,
  };
}

export const withoutKey = someSettings({ openaiApiKey: null, hasApiKey: false });

const text = { content: "<h2>Steps</h2>", markdown: "## Steps\n" };

export function aGeneratedSop(title: string, ai: Partial<GeneratedSop["ai"]> = {}): GeneratedSop {
  const usage = { promptTokens: 900, completionTokens: 500 };
  const made = { callId: "call-1", model: "small", prompt: "generate-sop@1", usage, calls: 1 };
  return {
    ...aSop({ title, status: "draft", isAiGenerated: true }),
    ...text,
    control: aControl(),
    ai: { ...made, assumptions: [], findings: [], ...ai },
  } as GeneratedSop;
}

export function aDraftedSop(title: string): DraftedSop {
  const rules = { template: "evacuation", templateTitle: "Evacuation", found: ["fire"] };
  return { ...aSop({ title, status: "draft" }), ...text, control: aControl(), rules } as DraftedSop;
}

let made = 0;

export function aSuggestion(change: Partial<Suggestion> = {}): Suggestion {
  made += 1;
  return {
    id: `01980000-0000-7000-8000-00000005${String(made).padStart(4, "0")}`,
    title: `Missing SOP ${made}`,
    description: "What nobody has written down.",
    content: null,
    categoryId: null,
    category: null,
    reasoning: "Three SOPs refer to it.",
    evidence: [],
    similarTo: [],
    source: "rules",
    template: null,
    status: "pending",
    sopId: null,
    createdAt: "2026-06-01T08:00:00.000Z",
    ...change,
  };
}
