import { z } from "zod";
import { lint } from "#core/lint/engine.ts";
import { lintAndFix } from "#core/lint/fix.ts";
import type { Finding } from "#core/lint/rule.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import type { Provider, Question, Reply } from "./ask.ts";
import { addressesOf, blocksOf, editBlocks, tamed, type Block, type BlockEdit } from "./blocks.ts";
import { faultsOf } from "./faults.ts";
import type { Provenance } from "./generate.ts";
import { addDetail, clarify, improveSop, type Prompt } from "./prompts.ts";
import { lostTokens } from "./protected-tokens.ts";

export const Improvement = z.object({
  summary: z.string().trim().max(1000),
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

/** What happened to a proposal that does not stand in the new text, and why. */
export interface DroppedEdit {
  edit: ProposedEdit;
  reason: "no such block" | "edited already" | "changes nothing" | "adds errors" | "loses what must stay";
  /** What it would have lost. */
  lost: string[];
}

export interface ImprovedText {
  markdown: string;
  summary: string;
  /** Edits that were made, in the order of the text. */
  edits: ProposedEdit[];
  dropped: DroppedEdit[];
  /** Findings of the rules before and after. */
  findings: { before: Finding[]; after: Finding[] };
  /** null when no model was asked. */
  made: Provenance | null;
}

export interface ImproveRequest {
  title: string;
  markdown: string;
}

const options = { path: "sop.md", preset: "recommended" } as const;

/** What was read of a text before a model is asked about it. */
export interface ReadText {
  /** In canonical form. */
  body: string;
  blocks: Block[];
  findings: Finding[];
}

/** One proposal, to be tried on top of those that were taken. */
export interface Trial {
  body: string;
  taken: readonly ProposedEdit[];
  proposal: ProposedEdit;
  /** The body with those taken, and how many errors it has; both of the trial before. */
  markdown: string;
  faults: number;
}

export type Tried =
  | { ok: true; edit: ProposedEdit; markdown: string; faults: number }
  | { ok: false; reason: DroppedEdit["reason"]; lost: string[] };

/** Where texts are read and proposals tried: here, unless somebody has a better place for it than this thread. */
export interface EditWork {
  read(markdown: string): Promise<ReadText>;
  attempt(trial: Trial): Promise<Tried>;
  findings(markdown: string): Promise<Finding[]>;
}

const here: EditWork = {
  read: async (markdown) => readText(markdown),
  attempt: async (trial) => tryEdit(trial),
  findings: async (markdown) => findingsIn(markdown),
};

export type EnhanceKind = "clarity" | "detail";

/** Proposals for a whole SOP: for what the rules find, and for clarity. @throws AppError of the kinds `ai_…` */
export function improveText(provider: Provider, request: ImproveRequest, work?: EditWork): Promise<ImprovedText> {
  return edited(provider, improveSop, request, work);
}

/**
 * The editor's AI Enhance. `clarity` rewords, `detail` adds blanks and hints marked `[confirm: …]`.
 * @throws AppError of the kinds `ai_…`
 */
export function enhanceText(
  provider: Provider,
  kind: EnhanceKind,
  request: ImproveRequest,
  work?: EditWork,
): Promise<ImprovedText> {
  return edited(provider, promptOf(kind), request, work);
}

/** The instruction that an enhancement, or an improvement without one, goes by. */
export function promptOf(kind: EnhanceKind | "improve"): Prompt {
  return { improve: improveSop, clarity: clarify, detail: addDetail }[kind];
}

/** What rules alone can put right: canonical form and every safe fix. No model is asked, no wording changes. */
export function tidyText({ markdown }: ImproveRequest): ImprovedText {
  const before = lint(markdown, options);
  const fixed = lintAndFix(formatMarkdown(markdown), options);
  return {
    markdown: fixed.text,
    summary: fixed.fixed === 0 ? "" : `${fixed.fixed} ${fixed.fixed === 1 ? "finding" : "findings"} put right`,
    edits: [],
    dropped: [],
    findings: { before, after: fixed.findings },
    made: null,
  };
}

async function edited(
  provider: Provider,
  prompt: Prompt,
  { title, markdown }: ImproveRequest,
  work: EditWork = here,
): Promise<ImprovedText> {
  const { body, blocks, findings: before } = await work.read(markdown);
  const data = { title, blocks, findings: before.map(({ rule, message, line }) => ({ rule, message, line })) };
  const question: Question<z.output<typeof Improvement>> = {
    name: "sop_edits",
    system: prompt.text,
    data,
    answer: Improvement,
  };
  const reply = await provider.ask(question);
  const chosen = await choose(body, faultsOf(before).length, reply.value.edits, work);
  return {
    ...chosen,
    summary: reply.value.summary,
    findings: { before, after: await work.findings(chosen.markdown) },
    made: provenanceOf(prompt, reply),
  };
}

function provenanceOf({ name }: Prompt, { model, usage, calls }: Reply<unknown>): Provenance {
  return { model, prompt: name, usage, calls };
}

/** Each edit is tried alone, on what stands already: one that adds errors or loses what must stay is dropped. */
async function choose(body: string, faultsBefore: number, proposals: readonly ProposedEdit[], work: EditWork) {
  const edits: ProposedEdit[] = [];
  const dropped: DroppedEdit[] = [];
  let markdown = body;
  let faults = faultsBefore;
  for (const proposal of inOrder(proposals)) {
    const tried = await work.attempt({ body, taken: edits, proposal, markdown, faults });
    if (tried.ok) {
      edits.push(tried.edit);
      ({ markdown, faults } = tried);
    } else dropped.push({ edit: proposal, reason: tried.reason, lost: tried.lost });
  }
  return { markdown, edits, dropped };
}

/** A text as it is shown to a model, and what the rules find in it. */
export function readText(markdown: string): ReadText {
  const body = formatMarkdown(markdown);
  return { body, blocks: blocksOf(body), findings: findingsIn(body) };
}

export function findingsIn(markdown: string): Finding[] {
  return lint(markdown, options);
}

/** Does a proposal leave a text that is better, or at least no worse, and that has lost nothing? */
export function tryEdit({ body, taken, proposal, markdown, faults }: Trial): Tried {
  const drop = (reason: DroppedEdit["reason"], lost: string[] = []): Tried => ({ ok: false, reason, lost });
  if (!blocksOf(body).some(({ id }) => id === proposal.blockId)) return drop("no such block");
  if (isTaken(taken, proposal)) return drop("edited already");
  const words = proposal.op === "delete" ? "" : tamed(proposal.markdown, addressesOf(body)).trim();
  const edit = { ...proposal, markdown: words };
  const next = editBlocks(body, [...taken, edit].map(withoutReason));
  if (next === markdown || (edit.op === "insertAfter" && words === "")) return drop("changes nothing");
  const lost = lostTokens(markdown, next);
  if (lost.length > 0) return drop("loses what must stay", lost);
  const left = faultsIn(next);
  return left > faults ? drop("adds errors") : { ok: true, edit, markdown: next, faults: left };
}

function withoutReason({ op, blockId, markdown }: ProposedEdit): BlockEdit {
  return { op, blockId, markdown };
}

/** A block is replaced or deleted once. */
function isTaken(edits: readonly ProposedEdit[], { op, blockId }: ProposedEdit): boolean {
  return op !== "insertAfter" && edits.some((edit) => edit.op !== "insertAfter" && edit.blockId === blockId);
}

function inOrder(edits: readonly ProposedEdit[]): ProposedEdit[] {
  const place = ({ blockId }: ProposedEdit) => Number(blockId.slice(1));
  return [...edits].sort((a, b) => place(a) - place(b));
}

function faultsIn(markdown: string): number {
  return faultsOf(findingsIn(markdown)).length;
}
