/** Suggestions for missing SOPs. Each belongs to the user who requested it, and is based on what this user can see. */
import { z } from "zod";
import { Id, SentenceId, Time, requiredCleanTextSchema } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { fieldRefusals } from "../sops/field-refusals.ts";

export const suggestionStatuses = ["pending", "accepted", "dismissed"] as const;
export type SuggestionStatus = (typeof suggestionStatuses)[number];

/** The reason for a suggestion: a rule, the words that it found, and the SOP with these words. */
export const SuggestionEvidence = z.object({
  rule: z.enum(["template", "dangling-link", "zero-result-search", "role", "equipment", "review-overdue", "ai"]),
  text: z.string(),
  sentence: SentenceId,
  sopId: z.string().nullable(),
  /** The SOP's title, as the user sees it now. */
  title: z.string().nullable(),
});
export type SuggestionEvidence = z.output<typeof SuggestionEvidence>;

export const Suggestion = z
  .object({
    id: Id,
    title: z.string(),
    description: z.string(),
    /** Markdown for a start; null if there is none yet. */
    content: z.string().nullable(),
    categoryId: z.string().nullable(),
    category: z.object({ name: z.string() }).nullable(),
    reasoning: z.string(),
    /** The sentence of `reasoning`, if rules found the gap. */
    sentence: SentenceId.optional(),
    evidence: z.array(SuggestionEvidence),
    /** The most similar existing SOPs; a score of 1 means the same SOP. */
    similarTo: z.array(z.object({ sopId: z.string(), title: z.string(), score: z.number() })),
    source: z.enum(["rules", "ai", "user"]),
    /** The template of the library; null if none fits. */
    template: z.string().nullable(),
    status: z.enum(suggestionStatuses),
    /** The draft that was created when the suggestion was accepted. */
    sopId: z.string().nullable(),
    createdAt: Time,
  })
  .meta({ id: "Suggestion" });
export type Suggestion = z.output<typeof Suggestion>;

export const SuggestAsk = z
  .strictObject({ teamContext: z.string().trim().max(limits.promptCharacters).default("") })
  .default({ teamContext: "" })
  .meta({ id: "SuggestAsk" });

/** Returns pending suggestions by default. */
export const SuggestionQuery = z.strictObject({ status: z.enum([...suggestionStatuses, "all"]).default("pending") });

export const SuggestionCreate = z
  .strictObject({
    title: requiredCleanTextSchema(fieldRefusals.title).max(limits.titleCharacters),
    description: z.string().trim().max(limits.descriptionCharacters).default(""),
    content: z.string().max(limits.document).nullish(),
    categoryId: z.string().max(100).nullish(),
    reasoning: z.string().trim().max(2000).default(""),
  })
  .meta({ id: "SuggestionCreate" });

/**
 * `accepted` creates a draft, once. A `dismissed` suggestion is never shown to this user again. `pending` undoes a
 * dismissal.
 */
export const SuggestionStatusAsk = z.strictObject({ status: z.enum(suggestionStatuses) });
