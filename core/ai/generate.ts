import { lintAndFix } from "#core/lint/fix.ts";
import type { Finding } from "#core/lint/finding.ts";
import { fileTextOf, splitFrontMatter, type FrontMatter } from "#core/markdown/front-matter.ts";
import { readingMinutesOf } from "#core/markdown/read-time.ts";
import { AppError } from "#core/errors.ts";
import { languageFault, withMarkedDifferences } from "./compare-draft.ts";
import type { AiProvider, AiQuestion, AiReply } from "./provider.ts";
import { usageSum, type AiUsage } from "./tokens.ts";
import { SopDraft } from "./draft.ts";
import { fixableErrorsOf } from "./faults.ts";
import { generateSopPrompt } from "./prompts.ts";
import { draftAsMarkdown, type ReferenceSources } from "./write-draft.ts";

export interface DraftRequest {
  /** The subject of the SOP, at most `limits.promptCharacters`. */
  prompt: string;
  /** The BCP 47 tag of the draft's language. */
  language: string;
  /** SOPs that the user can read and the draft can refer to. */
  sources?: ReferenceSources;
  /** Keys for the front matter of the draft. */
  frontMatter?: FrontMatter;
}

export interface GeneratedDraft {
  frontMatter: FrontMatter;
  body: string;
  /** The remaining findings, for the author. */
  findings: Finding[];
  /**
   * Points that a person has to confirm: assumptions of the model, and differences between the draft and its request.
   */
  assumptions: string[];
  made: Provenance;
}

/** The origin of an AI text. The version and the audit log keep it. */
export interface Provenance {
  model: string;
  /** The name and number of the instruction: `generate-sop@1`. */
  prompt: string;
  usage: AiUsage;
  calls: number;
}

/** The progress of a draft: a check of the model's answer, or a repair of its errors by the model. */
export type DraftStage =
  | { stage: "checking"; title: string; steps: number }
  | { stage: "repairing"; title: string; faults: number };

export interface GenerateDraftOptions {
  /** Checks a draft: `checkDraft` on this thread by default. */
  check?: (draft: SopDraft, request: DraftRequest) => Promise<CheckedDraft>;
  onStage?: (stage: DraftStage) => void;
}

const repairsAtMost = 2;

/**
 * Asks a model for a draft and checks the draft. Safe fixes are applied, and other errors go back to the model, at most
 * twice. A repair counts only if it leaves fewer errors, so the result is the best draft with its open issues.
 * @throws AppError of the kinds `ai_…`
 */
export async function generateDraft(
  provider: AiProvider,
  request: DraftRequest,
  { check = async (draft, request) => checkDraft(draft, request), onStage }: GenerateDraftOptions = {},
): Promise<GeneratedDraft> {
  const question = draftQuestionOf(request);
  let reply = await provider.ask(question);
  onStage?.({ stage: "checking", title: reply.value.title, steps: countDraftSteps(reply.value) });
  let best = await check(reply.value, request);
  for (let repair = 0; repair < repairsAtMost; repair += 1) {
    const faults = faultLines(best, request);
    if (faults.length === 0) break;
    onStage?.({ stage: "repairing", title: best.draft.title, faults: faults.length });
    const wrong = faults.join("\n");
    const next = await provider.ask({ ...question, again: { answer: best.draft, wrong } }).catch(nullForAiErrors);
    if (next === null) break;
    reply = withUsageOf(reply, next);
    const checked = await check(next.value, request);
    if (isBetter(checked, best, request)) best = checked;
  }
  const { model, usage, calls } = reply;
  const { frontMatter, body, findings, draft, assumptions } = best;
  const other = languageFault(draft, request.language);
  if (other !== null) throw other;
  return {
    frontMatter,
    body,
    findings,
    assumptions,
    made: { model, prompt: generateSopPrompt.name, usage, calls },
  };
}

function faultLines({ draft, findings }: CheckedDraft, { language }: DraftRequest): string[] {
  const isOther = languageFault(draft, language) !== null;
  return [
    ...(isOther ? [`language: every field must be in the language "${language}"`] : []),
    ...fixableErrorsOf(findings).map(({ rule, message }) => `${rule}: ${message}`),
  ];
}

/**
 * Tells whether `next` is a better draft than `best`. The requested language comes first, because a draft in another
 * language is refused.
 */
function isBetter(next: CheckedDraft, best: CheckedDraft, request: DraftRequest): boolean {
  const isOther = ({ draft }: CheckedDraft) => languageFault(draft, request.language) !== null;
  if (isOther(next) !== isOther(best)) return isOther(best);
  return faultLines(next, request).length < faultLines(best, request).length;
}

/** Builds the question to the model. Callers estimate the cost of the question with `estimateTokens`. */
export function draftQuestionOf({ prompt, language, sources = new Map() }: DraftRequest): AiQuestion<SopDraft> {
  const data = {
    request: prompt,
    language,
    sources: [...sources].map(([id, { title }]) => ({ id, title })),
  };
  return { name: "sop_draft", system: generateSopPrompt.text, data, answer: SopDraft };
}

function countDraftSteps({ sections }: SopDraft): number {
  return sections.reduce((sum, { steps }) => sum + steps.length, 0);
}

/**
 * Returns null for an AI error and throws any other error again. So after a failed repair, the caller uses the earlier
 * draft instead of failing.
 */
function nullForAiErrors(error: unknown): null {
  if (error instanceof AppError && error.code.startsWith("ai_")) return null;
  throw error;
}

function withUsageOf(before: AiReply<SopDraft>, now: AiReply<SopDraft>): AiReply<SopDraft> {
  return { ...now, usage: usageSum(before.usage, now.usage), calls: before.calls + now.calls };
}

export interface CheckedDraft {
  /** The draft as the model wrote it. */
  draft: SopDraft;
  assumptions: string[];
  frontMatter: FrontMatter;
  body: string;
  findings: Finding[];
}

/**
 * Writes a draft as Markdown, marks its differences from the request, applies safe fixes, and finds the remaining
 * issues. This is slow for long drafts.
 */
export function checkDraft(
  draft: SopDraft,
  { prompt, language, sources, frontMatter: given }: DraftRequest,
): CheckedDraft {
  const marked = withMarkedDifferences(draft, { prompt, language });
  const written = draftAsMarkdown(marked, sources, language);
  const frontMatter: FrontMatter = {
    ...given,
    title: draft.title,
    description: draft.description,
    ...(draft.tags.length > 0 ? { tags: draft.tags } : {}),
    read_minutes: readingMinutesOf(written),
    ai_generated: true,
    lang: language,
  };
  const file = lintAndFix(fileTextOf(frontMatter, written), { path: "draft.md", preset: "recommended" });
  const { body } = splitFrontMatter(file.text);
  return { draft, assumptions: marked.assumptions, frontMatter, body, findings: file.findings };
}
