import { z } from "zod";
import { lintText } from "#core/lint/engine.ts";
import { lintAndFix } from "#core/lint/fix.ts";
import type { Finding } from "#core/lint/finding.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import type { AiProvider, AiQuestion, AiReply } from "./provider.ts";
import {
  linkAndImageAddressesOf,
  numberedBlocksOf,
  bodyAfterEdits,
  sanitizedMarkdown,
  type MarkdownBlock,
  type BlockEdit,
} from "./blocks.ts";
import type { MeaningChange } from "./change-kinds.ts";
import { meaningChangesBetween, changeCountsText } from "./changes.ts";
import { detectFactLanguage } from "./facts.ts";
import { fixableErrorsOf } from "./faults.ts";
import type { Provenance } from "./generate.ts";
import { addDetailPrompt, clarifyPrompt, improveSopPrompt, type Prompt } from "./prompts.ts";
import { lostTokens } from "./protected-tokens.ts";

export const Improvement = z.object({
  edits: z
    .array(
      z.object({
        op: z.enum(["replace", "insertAfter", "delete"]),
        blockId: z.string().max(20),
        markdown: z.string().max(20_000),
        why: z.string().trim().max(500),
      }),
    )
    .max(100),
});

export type ProposedEdit = z.output<typeof Improvement>["edits"][number];

/** A proposed edit that is part of the new text. "Accept all" leaves out edits that have `changes`. */
export type TakenEdit = ProposedEdit & { changes: MeaningChange[] };

/** A proposed edit that isn't in the new text, and the reason. */
export interface DroppedEdit {
  edit: ProposedEdit;
  reason: "no such block" | "edited already" | "changes nothing" | "adds errors" | "loses what must stay" | "not tried";
  /** The protected tokens that this edit would have lost. */
  lost: string[];
  changes: MeaningChange[];
}

export interface ImprovedText {
  markdown: string;
  /** A summary with the number of edits, written by the program and not by the model. */
  summary: string;
  /** The edits of the new text, in the order of the text. */
  edits: TakenEdit[];
  dropped: DroppedEdit[];
  /** Findings in the text before and after the edits. */
  findings: { before: Finding[]; after: Finding[] };
  /** The model and its cost; null when rules alone made the edits. */
  made: Provenance | null;
}

export interface ImproveRequest {
  title: string;
  markdown: string;
}

const options = { path: "sop.md", preset: "recommended" } as const;

/** The text before a call to a model, with its blocks and findings. */
export interface PreparedText {
  /** The text in canonical form. */
  body: string;
  blocks: MarkdownBlock[];
  findings: Finding[];
}

/** Proposed edits to try together, on top of the edits in `taken`. */
export interface EditTrial {
  body: string;
  taken: readonly ProposedEdit[];
  proposals: readonly ProposedEdit[];
  /** The body with the edits of `taken`. */
  markdown: string;
  faults: readonly string[];
}

/**
 * The result of a trial. It drops edits that can never be taken, and returns the text of the others together or their
 * error.
 */
export type EditTrialResult = { dropped: DroppedEdit[] } & (
  | { ok: true; edits: TakenEdit[]; markdown: string; faults: string[] }
  | { ok: false; left: ProposedEdit[]; reason: DroppedEdit["reason"]; lost: string[] }
);

/** Prepares texts, tries edits and finds issues; by default on this thread. */
export interface EditRunner {
  read(markdown: string): Promise<PreparedText>;
  attempt(trial: EditTrial): Promise<EditTrialResult>;
  findings(markdown: string): Promise<Finding[]>;
}

const workOnThisThread: EditRunner = {
  read: async (markdown) => prepareTextForModel(markdown),
  attempt: async (trial) => tryEdits(trial),
  findings: async (markdown) => lintBody(markdown),
};

export type EnhanceKind = "clarity" | "detail";

/** Proposals for a whole SOP: fixes for findings, and clearer wording. @throws AppError of the kinds `ai_…` */
export function improveText(provider: AiProvider, request: ImproveRequest, work?: EditRunner): Promise<ImprovedText> {
  return proposeEdits(provider, improveSopPrompt, request, work);
}

/**
 * Improves a text for the editor's button AI Enhance: `clarity` rewords, `detail` adds blanks and hints marked
 * `[confirm: …]`.
 * @throws AppError of the kinds `ai_…`
 */
export function enhanceText(
  provider: AiProvider,
  kind: EnhanceKind,
  request: ImproveRequest,
  work?: EditRunner,
): Promise<ImprovedText> {
  return proposeEdits(provider, builtInPromptOf(kind), request, work);
}

/** Returns the built-in instruction for an improvement or an enhancement. */
export function builtInPromptOf(kind: EnhanceKind | "improve"): Prompt {
  return { improve: improveSopPrompt, clarity: clarifyPrompt, detail: addDetailPrompt }[kind];
}

/**
 * Returns the text in canonical form with every safe fix of the lint rules, without a model. No heading moves into the
 * title.
 */
export function tidyText({ markdown }: ImproveRequest): ImprovedText {
  const before = lintText(markdown, options);
  // the title is stored outside the body, so no fix may move a heading there
  const fixed = lintAndFix(formatMarkdown(markdown), { ...options, rules: { "struct/no-h1": "off" } });
  return {
    markdown: fixed.text,
    summary: fixed.fixed === 0 ? "" : `${fixed.fixed} ${fixed.fixed === 1 ? "issue" : "issues"} fixed`,
    edits: [],
    dropped: [],
    findings: { before, after: lintText(fixed.text, options) },
    made: null,
  };
}

async function proposeEdits(
  provider: AiProvider,
  prompt: Prompt,
  { title, markdown }: ImproveRequest,
  work: EditRunner = workOnThisThread,
): Promise<ImprovedText> {
  const { body, blocks, findings: before } = await work.read(markdown);
  const data = { title, blocks, findings: before.map(({ rule, message, line }) => ({ rule, message, line })) };
  const question: AiQuestion<z.output<typeof Improvement>> = {
    name: "sop_edits",
    system: prompt.text,
    data,
    answer: Improvement,
  };
  const reply = await provider.ask(question);
  const chosen = await chooseSafeEdits(body, faultKeys(before), reply.value.edits, work);
  return {
    ...chosen,
    summary: editSummaryText(chosen.edits),
    findings: { before, after: await work.findings(chosen.markdown) },
    made: answerProvenanceOf(prompt, reply),
  };
}

/** Says how many edits there are, and how many change the meaning; empty for none. */
function editSummaryText(edits: readonly TakenEdit[]): string {
  if (edits.length === 0) return "";
  const marked = edits.filter(({ changes }) => changes.length > 0);
  const proposed = `${edits.length} proposed ${edits.length === 1 ? "change" : "changes"}`;
  if (marked.length === 0) return `${proposed}, none marked`;
  return `${proposed}, ${marked.length} marked: ${changeCountsText(marked.flatMap(({ changes }) => changes))}`;
}

function answerProvenanceOf({ name }: Prompt, { model, usage, calls }: AiReply<unknown>): Provenance {
  return { model, prompt: name, usage, calls };
}

/** Each try parses the whole text several times. After this many tries, the remaining edits are dropped. */
const triesAtMost = 40;

/** Tries edits together. If together they add errors or lose something, tries halves until the bad edits are found. */
async function chooseSafeEdits(
  body: string,
  faultsBefore: readonly string[],
  proposals: readonly ProposedEdit[],
  work: EditRunner,
) {
  const edits: TakenEdit[] = [];
  const dropped: DroppedEdit[] = [];
  let markdown = body;
  let faults = faultsBefore;
  const waiting: ProposedEdit[][] = [sortInBlockOrder(proposals)];
  for (let tries = 0; waiting.length > 0; tries += 1) {
    const group = waiting.shift() ?? [];
    if (tries >= triesAtMost) {
      dropped.push(...group.map((edit) => ({ edit, reason: "not tried" as const, lost: [], changes: [] })));
      continue;
    }
    const tried = await work.attempt({ body, taken: edits, proposals: group, markdown, faults });
    dropped.push(...tried.dropped);
    if (tried.ok) {
      edits.push(...tried.edits);
      ({ markdown, faults } = tried);
    } else if (tried.left.length > 1) {
      const half = Math.ceil(tried.left.length / 2);
      waiting.unshift(tried.left.slice(0, half), tried.left.slice(half));
    } else {
      dropped.push(...tried.left.map((edit) => ({ edit, reason: tried.reason, lost: tried.lost, changes: [] })));
    }
  }
  return { markdown, edits, dropped };
}

/** Brings a text into the form that the model gets, and finds its issues. */
export function prepareTextForModel(markdown: string): PreparedText {
  const body = formatMarkdown(markdown);
  return { body, blocks: numberedBlocksOf(body), findings: lintBody(body) };
}

export function lintBody(markdown: string): Finding[] {
  return lintText(markdown, options);
}

/** Tries edits on a text. They must add no error, and lose no protected token. */
export function tryEdits({ body, taken, proposals, markdown, faults }: EditTrial): EditTrialResult {
  const blocks = new Map(numberedBlocksOf(body).map((block) => [block.id, block.markdown]));
  const known = linkAndImageAddressesOf(body);
  const language = detectFactLanguage(body);
  const fit: { proposal: ProposedEdit; edit: TakenEdit }[] = [];
  const dropped: DroppedEdit[] = [];
  for (const proposal of proposals) {
    const dropEdit = (reason: DroppedEdit["reason"], lost: string[] = [], changes: MeaningChange[] = []) =>
      dropped.push({ edit: proposal, reason, lost, changes });
    const block = blocks.get(proposal.blockId);
    if (block === undefined) {
      dropEdit("no such block");
      continue;
    }
    if (isBlockEdited([...taken, ...fit.map(({ edit }) => edit)], proposal)) {
      dropEdit("edited already");
      continue;
    }
    const words = proposal.op === "delete" ? "" : sanitizedMarkdown(proposal.markdown, known).trim();
    const before = proposal.op === "insertAfter" ? "" : block.trim();
    const lost = lostTokens(before, words, language);
    if (words === before) {
      dropEdit("changes nothing");
      continue;
    }
    const changes = meaningChangesBetween(before, words, language);
    if (lost.length > 0) dropEdit("loses what must stay", lost, changes);
    else fit.push({ proposal, edit: { ...proposal, markdown: words, changes } });
  }
  const edits = fit.map(({ edit }) => edit);
  const left = fit.map(({ proposal }) => proposal);
  if (edits.length === 0) return { ok: true, dropped, edits, markdown, faults: [...faults] };
  const next = bodyAfterEdits(body, [...taken, ...edits].map(withoutReason));
  if (next === markdown) return { ok: false, dropped, left, reason: "changes nothing", lost: [] };
  // a block may hold text that another block needs, such as the definition of a link
  const lost = lostTokens(markdown, next, language);
  if (lost.length > 0) return { ok: false, dropped, left, reason: "loses what must stay", lost };
  const after = faultKeys(lintBody(next));
  if (hasAdditions(faults, after)) return { ok: false, dropped, left, reason: "adds errors", lost: [] };
  return { ok: true, dropped, edits, markdown: next, faults: after };
}

/**
 * Returns a key of rule and message for each error. A new error in place of an old one has another key, so it counts as
 * added.
 */
function faultKeys(findings: readonly Finding[]): string[] {
  return fixableErrorsOf(findings).map(({ rule, message }) => `${rule} ${message}`);
}

function hasAdditions(before: readonly string[], after: readonly string[]): boolean {
  const left = [...before];
  return after.some((key) => {
    const at = left.indexOf(key);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function withoutReason({ op, blockId, markdown }: ProposedEdit): BlockEdit {
  return { op, blockId, markdown };
}

/** Tells whether another edit already replaces or deletes the block of this edit. */
function isBlockEdited(edits: readonly ProposedEdit[], { op, blockId }: ProposedEdit): boolean {
  return op !== "insertAfter" && edits.some((edit) => edit.op !== "insertAfter" && edit.blockId === blockId);
}

function sortInBlockOrder(edits: readonly ProposedEdit[]): ProposedEdit[] {
  const blockNumber = ({ blockId }: ProposedEdit) => Number(blockId.slice(1));
  return [...edits].sort((a, b) => blockNumber(a) - blockNumber(b));
}
