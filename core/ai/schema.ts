/** AI requests and answers over HTTP (`docs/ai.md`). No provider's package in here: browsers load the types. */
import { z } from "zod";
import { Id, Time, requiredText } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { Sop } from "../sops/schema.ts";
import { changeKinds } from "./change-kinds.ts";

export const enhancementTypes = ["clarity", "formatting", "detail"] as const;

const Tokens = z.object({ promptTokens: z.int(), completionTokens: z.int() });

/** The origin of an AI text. A save sends `callId`, so that the version records the origin as well. */
export const AiMade = z
  .object({
    callId: Id,
    model: z.string(),
    /** `generate-sop@1` */
    prompt: z.string(),
    usage: Tokens,
    /** Requests to the provider that it took. */
    calls: z.int(),
  })
  .meta({ id: "AiMade" });
export type AiMade = z.output<typeof AiMade>;

/** Lines and columns from 1, in the Markdown; line 0: title, description and the like. */
export const AiFinding = z.object({
  rule: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  message: z.string(),
  line: z.int(),
  column: z.int(),
  endLine: z.int(),
  endColumn: z.int(),
});

export const GenerateAsk = z
  .strictObject({
    prompt: requiredText("Say what the SOP is about").max(limits.promptCharacters),
    /** Id or name; one that there is not, such as the panel's 'General', means none. */
    category: z.string().max(200).nullish(),
    /** BCP 47; the company's SOPs' when absent. */
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "Language must be a tag such as en or de-AT")
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
/** The text of the editor: Markdown, or HTML as the seed's clients send it. */
const TextAsk = z.strictObject({
  title: z.string().max(limits.titleCharacters).default(""),
  content: text.optional(),
  markdown: text.optional(),
});
const hasText = ({ content = "", markdown = "" }: { content?: string | undefined; markdown?: string | undefined }) =>
  `${content}${markdown}`.trim() !== "";
const noText = { error: "Add some content first", path: ["content"] };

export const ImproveAsk = TextAsk.refine(hasText, noText).meta({ id: "ImproveAsk" });
export type ImproveAsk = z.output<typeof ImproveAsk>;

export const EnhanceAsk = TextAsk.extend({ enhancementType: z.enum(enhancementTypes) })
  .refine(hasText, noText)
  .meta({ id: "EnhanceAsk" });
export type EnhanceAsk = z.output<typeof EnhanceAsk>;

/** A change to one block of the text. `why` is the model's own sentence, and no fact. */
const Edit = z.object({
  op: z.enum(["replace", "insertAfter", "delete"]),
  blockId: z.string(),
  markdown: z.string(),
  why: z.string(),
});

/** What an edit says differently: a figure, a unit, a word of duty, an order. An edit with one needs a look of its own. */
const Changes = z.array(z.object({ kind: z.enum(changeKinds), before: z.string(), after: z.string() }));

/** A proposal: nothing is stored. The editor shows what differs, piece by piece, to accept or reject. */
export const ImprovedText = z
  .object({
    /** Sanitised HTML of `markdown`. */
    content: z.string(),
    markdown: z.string(),
    /** The text the proposal was made for, in canonical form: what to compare with. */
    base: z.string(),
    /** Counted from the edits and their changes. */
    summary: z.string(),
    edits: z.array(Edit.extend({ changes: Changes })),
    /** Proposals that were not taken, and why. */
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
    /** null: rules alone made it. */
    ai: AiMade.nullable(),
  })
  .meta({ id: "ImprovedText" });
export type ImprovedTextAnswer = z.output<typeof ImprovedText>;

const Spent = z.object({
  /** Running calls count by their estimate. */
  tokens: z.int(),
  calls: z.int(),
  /** Tokens; null: no budget. */
  budget: z.int().nullable(),
  /** When the count starts again. */
  until: Time,
});

/** The usage of the server's key. Calls with a personal key are counted apart. */
export const AiUsageReport = z
  .object({
    /** The key of the user's calls: `personal`, `global` or none. */
    key: z.enum(["personal", "global"]).nullable(),
    /** The user's, today (UTC), with the server's key. */
    own: Spent,
    /** The user's, this month, with a personal key. */
    personal: z.object({ tokens: z.int(), calls: z.int() }),
    /** The company's, this month, with the server's key; null without `company.settings`. */
    company: Spent.nullable(),
    /**
     * The cost of the user's tokens this month by the operator's price list, with any key; null without a list.
     * `unpriced`: tokens of models that the list does not name; they are not in the amount.
     */
    estimate: z.object({ amount: z.number(), currency: z.string(), unpriced: z.int() }).nullable(),
  })
  .meta({ id: "AiUsageReport" });
export type AiUsageReport = z.output<typeof AiUsageReport>;
