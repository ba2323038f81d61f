import { z } from "zod";
import { lint } from "#core/lint/engine.ts";
import { lintAndFix } from "#core/lint/fix.ts";
import type { Finding } from "#core/lint/rule.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import type { Provider, Question, Reply } from "./ask.ts";
import { addressesOf, blocksOf, editBlocks, tamed, type BlockEdit } from "./blocks.ts";
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

/** Proposals for a whole SOP: for what the rules find, and for clarity. @throws AppError of the kinds `ai_…` */
export function improveText(provider: Provider, request: ImproveRequest): Promise<ImprovedText> {
  return edited(provider, improveSop, request);
}

/**
 * The editor's AI Enhance. `clarity` rewords, `detail` adds blanks and hints marked `[confirm: …]`.
 * @throws AppError of the kinds `ai_…`
 */
export function enhanceText(
  provider: Provider,
  kind: "clarity" | "detail",
  request: ImproveRequest,
): Promise<ImprovedText> {
  return edited(provider, kind === "clarity" ? clarify : addDetail, request);
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

async function edited(provider: Provider, prompt: Prompt, { title, markdown }: ImproveRequest): Promise<ImprovedText> {
  const body = formatMarkdown(markdown);
  const before = lint(body, options);
  const data = {
    title,
    blocks: blocksOf(body),
    findings: before.map(({ rule, message, line }) => ({ rule, message, line })),
  };
  const question: Question<z.output<typeof Improvement>> = {
    name: "sop_edits",
    system: prompt.text,
    data,
    answer: Improvement,
  };
  const reply = await provider.ask(question);
  const chosen = choose(body, reply.value.edits);
  return {
    ...chosen,
    summary: reply.value.summary,
    findings: { before, after: lint(chosen.markdown, options) },
    made: provenanceOf(prompt, reply),
  };
}

function provenanceOf({ name }: Prompt, { model, usage, calls }: Reply<unknown>): Provenance {
  return { model, prompt: name, usage, calls };
}

/** Each edit is tried alone, on what stands already: one that adds errors or loses what must stay is dropped. */
function choose(body: string, proposals: readonly ProposedEdit[]) {
  const known = addressesOf(body);
  const ids = new Set(blocksOf(body).map(({ id }) => id));
  const edits: ProposedEdit[] = [];
  const dropped: DroppedEdit[] = [];
  let markdown = body;
  let faults = faultsIn(body);
  for (const proposal of inOrder(proposals)) {
    const drop = (reason: DroppedEdit["reason"], lost: string[] = []) =>
      void dropped.push({ edit: proposal, reason, lost });
    if (!ids.has(proposal.blockId) || isTaken(edits, proposal)) {
      drop(ids.has(proposal.blockId) ? "edited already" : "no such block");
      continue;
    }
    const edit = { ...proposal, markdown: proposal.op === "delete" ? "" : tamed(proposal.markdown, known).trim() };
    const next = editBlocks(body, [...edits, edit].map(withoutReason));
    const lost = lostTokens(markdown, next);
    if (next === markdown || (edit.op === "insertAfter" && edit.markdown === "")) drop("changes nothing");
    else if (lost.length > 0) drop("loses what must stay", lost);
    else {
      const left = faultsIn(next);
      if (left > faults) {
        drop("adds errors");
        continue;
      }
      edits.push(edit);
      markdown = next;
      faults = left;
    }
  }
  return { markdown, edits, dropped };
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
  return faultsOf(lint(markdown, options)).length;
}
