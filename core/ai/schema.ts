/**
 * AI requests and answers over HTTP (`docs/ai.md`). Browsers load the types, so no provider's package is imported here.
 */
import { z } from "zod";
import { Id, SentenceId, Time, requiredCleanTextSchema, sentenceError } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { Sop } from "../sops/schema.ts";
import { changeKinds } from "./change-kinds.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.ai.schema", {
  prompt: "Say what the SOP is about",
  language: "Language must be a tag such as en or de-AT",
  content: "Add some content first",
  oneText: "Send content or markdown, not both",
});

const enhancementTypes = ["clarity", "formatting", "detail"] as const;

const Tokens = z.object({ promptTokens: z.int(), completionTokens: z.int() });

/** The origin of an AI text. A save sends `callId`, so that the version records the origin as well. */
export const AiMade = z
  .object({
    callId: Id,
    model: z.string(),
    /** The name and number of the instruction: `generate-sop@1`. */
    prompt: z.string(),
    usage: Tokens,
    /** The number of requests to the provider. */
    calls: z.int(),
  })
  .meta({ id: "AiMade" });
export type AiMade = z.output<typeof AiMade>;

/** Lines and columns count from 1 in the Markdown. Line 0 stands for the title, the description and other fields. */
const AiFinding = z.object({
  rule: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  message: z.string(),
  reason: SentenceId.optional(),
  line: z.int(),
  column: z.int(),
  endLine: z.int(),
  endColumn: z.int(),
});

export const GenerateAsk = z
  .strictObject({
    prompt: requiredCleanTextSchema(refusals.prompt).max(limits.promptCharacters),
    /** The id or name of a category. An unknown category, such as the panel's 'General', means none. */
    category: z.string().max(200).nullish(),
    /** The BCP 47 tag of the draft's language; the company's SOP language when absent. */
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, sentenceError(refusals.language))
      .nullish(),
  })
  .meta({ id: "GenerateAsk" });
export type GenerateAsk = z.output<typeof GenerateAsk>;

/** The stored draft, and the points that the author has to check. */
export const GeneratedSop = Sop.extend({
  ai: AiMade.extend({ assumptions: z.array(z.string()), findings: z.array(AiFinding) }),
}).meta({ id: "GeneratedSop" });
export type GeneratedSop = z.output<typeof GeneratedSop>;

const text = z.string().max(limits.document * 2);
/** The text of the editor: Markdown, or HTML from the seed's clients. */
const TextAsk = z.strictObject({
  title: z.string().max(limits.titleCharacters).default(""),
  content: text.optional(),
  markdown: text.optional(),
});
type Texts = { content?: string | undefined; markdown?: string | undefined };
const filledTextCount = ({ content = "", markdown = "" }: Texts) =>
  [content, markdown].filter((one) => one.trim() !== "").length;
/**
 * Refuses a request with neither `content` nor `markdown`, and a request with both, because one text would have no
 * effect.
 */
const withOneText = <S extends z.ZodType<Texts>>(schema: S): S =>
  schema
    .refine((ask) => filledTextCount(ask) > 0, { ...sentenceError(refusals.content), path: ["content"] })
    .refine((ask) => filledTextCount(ask) < 2, { ...sentenceError(refusals.oneText), path: ["markdown"] });

export const ImproveAsk = withOneText(TextAsk).meta({ id: "ImproveAsk" });
export type ImproveAsk = z.output<typeof ImproveAsk>;

export const EnhanceAsk = withOneText(TextAsk.extend({ enhancementType: z.enum(enhancementTypes) })).meta({
  id: "EnhanceAsk",
});
export type EnhanceAsk = z.output<typeof EnhanceAsk>;

/** A change to one block of the text. `why` is the model's own explanation and may be wrong. */
const Edit = z.object({
  op: z.enum(["replace", "insertAfter", "delete"]),
  blockId: z.string(),
  markdown: z.string(),
  why: z.string(),
});

/**
 * Changes of meaning in an edit, such as another figure, unit or order. A person should check each edit that has such
 * changes.
 */
const Changes = z.array(z.object({ kind: z.enum(changeKinds), before: z.string(), after: z.string() }));

/** A proposed change that is not stored. The editor shows the differences, and the user accepts or rejects each. */
export const ImprovedText = z
  .object({
    /** Sanitised HTML of `markdown`. */
    content: z.string(),
    markdown: z.string(),
    /** The text, in canonical form, for which the proposal was made. The editor compares it with the current text. */
    base: z.string(),
    /** A sentence by the server with the number of edits and of changes of meaning. */
    summary: z.string(),
    edits: z.array(Edit.extend({ changes: Changes })),
    /** Proposed edits that were not taken, and the reason. */
    dropped: z.array(
      z.object({
        edit: Edit,
        reason: z.enum([
          "no such block",
          "edited already",
          "changes nothing",
          "adds errors",
          "loses what must stay",
          "not tried",
        ]),
        lost: z.array(z.string()),
        changes: Changes,
      }),
    ),
    findings: z.object({ before: z.array(AiFinding), after: z.array(AiFinding) }),
    /** The model and its cost; null if lint rules alone made the proposal. */
    ai: AiMade.nullable(),
  })
  .meta({ id: "ImprovedText" });
export type ImprovedTextAnswer = z.output<typeof ImprovedText>;

const Spent = z.object({
  /** Tokens used. Running calls count by their estimate. */
  tokens: z.int(),
  calls: z.int(),
  /** The budget in tokens; null for no budget. */
  budget: z.int().nullable(),
  /** The time at which the count starts again from 0. */
  until: Time,
});

/** The AI usage with the server's key. Calls with a personal key are counted separately. */
export const AiUsageReport = z
  .object({
    /** The API key that the user's calls use: `personal`, `global` (the server's) or null for no key. */
    key: z.enum(["personal", "global"]).nullable(),
    /** The user's usage today (UTC) with the server's key. */
    own: Spent,
    /** The user's usage this month with a personal key. */
    personal: z.object({ tokens: z.int(), calls: z.int() }),
    /** The company's usage this month with the server's key; null without the permission `company.settings`. */
    company: Spent.nullable(),
    /**
     * The cost of the user's tokens this month by the operator's price list, with any key; null without a list.
     * `unpriced` counts tokens of models that the list does not name. The amount leaves them out.
     */
    estimate: z.object({ amount: z.number(), currency: z.string(), unpriced: z.int() }).nullable(),
  })
  .meta({ id: "AiUsageReport" });
export type AiUsageReport = z.output<typeof AiUsageReport>;
