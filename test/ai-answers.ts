/** Answers of a model, for tests that script the fake provider. */
import type { SopDraft } from "#core/ai/draft.ts";
import type { Improvement } from "#core/ai/improve.ts";
import type { z } from "zod";

const step = (text: string) => ({ text, role: null, warning: null, verify: null, sub: [] });

/** A draft without errors by the rules, and without figures that a request may lack. */
export const draftAnswer: SopDraft = {
  title: "Drain the tank",
  description: "Empty the tank before it is cleaned.",
  purpose: "Nobody meets pressure.",
  scope: "Tank 4.",
  roles: [{ name: "Operator", duty: "Drains the tank" }],
  equipment: ["Key"],
  warnings: [],
  sections: [{ heading: "Drain", steps: [step("Close the valve."), step("Open the drain.")] }],
  records: [{ name: "Log", place: "Office", retention: "until the next cleaning" }],
  references: [],
  assumptions: ["The tank holds water."],
  tags: ["tanks"],
};

/** A draft with a key in a step, which is an error that a repair can remove. */
export const leakyDraftAnswer: SopDraft = {
  ...draftAnswer,
  sections: [{ heading: "Drain", steps: [step("Sign in with AKIAIOSFODNN7EXAMPLE.")] }],
};

/** An answer with a single edit that replaces the named block. */
export function editAnswer(blockId: string, markdown: string): z.output<typeof Improvement> {
  return { edits: [{ op: "replace", blockId, markdown, why: "It is shorter." }] };
}
