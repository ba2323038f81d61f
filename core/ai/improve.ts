import { z } from "zod";
import { lint } from "#core/lint/engine.ts";
import { lintAndFix } from "#core/lint/fix.ts";
import type { Finding } from "#core/lint/finding.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import type { Provider, Question, Reply } from "./provider.ts";
import { addressesOf, blocksOf, editBlocks, sanitizedMarkdown, type Block, type BlockEdit } from "./blocks.ts";
import type { Change } from "./change-kinds.ts";
import { changesBetween, countedChanges } from "./changes.ts";
import { languageOf } from "./facts.ts";
import { faultsOf } from "./faults.ts";
import type { Provenance } from "./generate.ts";
import { addDetail, clarify, improveSop, type Prompt } from "./prompts.ts";
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

/** A proposal in the new text. Who accepts all at once leaves out those that have `changes`. */
export type TriedEdit = ProposedEdit & { changes: Change[] };

/** A proposal that isn't in the new text, and why. */
export interface DroppedEdit {
  edit: ProposedEdit;
  reason: "no such block" | "edited already" | "changes nothing" | "adds errors" | "loses what must stay" | "not tried";
  /** The tokens that it would have lost. */
  lost: string[];
  changes: Change[];
}

export interface ImprovedText {
  markdown: string;
  /** Counted by us: a model's own words about its answer are not shown. */
  summary: string;
  /** Edits that were made, in the order of the text. */
  edits: TriedEdit[];
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

/** The parsed text before a call to a model. */
export interface ReadText {
  /** In canonical form. */
  body: string;
  blocks: Block[];
  findings: Finding[];
}

/** Proposals, to be tried together on top of those that were taken. */
export interface Trial {
  body: string;
  taken: readonly ProposedEdit[];
  proposals: readonly ProposedEdit[];
  /** The body with those taken, and the errors it has (`faultKeys`). */
  markdown: string;
  faults: readonly string[];
}

/** Drops proposals that can never be taken. Returns the text of the others together, or its error. */
export type Tried = { dropped: DroppedEdit[] } & (
  | { ok: true; edits: TriedEdit[]; markdown: string; faults: string[] }
  | { ok: false; left: ProposedEdit[]; reason: DroppedEdit["reason"]; lost: string[] }
);

/** Where texts are read and proposals tried: on this thread by default. */
export interface EditWork {
  read(markdown: string): Promise<ReadText>;
  attempt(trial: Trial): Promise<Tried>;
  findings(markdown: string): Promise<Finding[]>;
}

const here: EditWork = {
  read: async (markdown) => readText(markdown),
  attempt: async (trial) => tryEdits(trial),
  findings: async (markdown) => findingsIn(markdown),
};

export type EnhanceKind = "clarity" | "detail";

/** Proposals for a whole SOP: fixes for findings, and clearer wording. @throws AppError of the kinds `ai_…` */
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

/** The fixes by rules: canonical form and every safe fix. It uses no model and changes no wording. */
export function tidyText({ markdown }: ImproveRequest): ImprovedText {
  const before = lint(markdown, options);
  // the title of a body is kept elsewhere: no fix may move it
  const fixed = lintAndFix(formatMarkdown(markdown), { ...options, rules: { "struct/no-h1": "off" } });
  return {
    markdown: fixed.text,
    summary: fixed.fixed === 0 ? "" : `${fixed.fixed} ${fixed.fixed === 1 ? "issue" : "issues"} fixed`,
    edits: [],
    dropped: [],
    findings: { before, after: lint(fixed.text, options) },
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
  const chosen = await choose(body, faultKeys(before), reply.value.edits, work);
  return {
    ...chosen,
    summary: summaryOf(chosen.edits),
    findings: { before, after: await work.findings(chosen.markdown) },
    made: provenanceOf(prompt, reply),
  };
}

/** `3 proposed changes; 1 changes 1 unit, the order`; empty for none. */
function summaryOf(edits: readonly TriedEdit[]): string {
  if (edits.length === 0) return "";
  const marked = edits.filter(({ changes }) => changes.length > 0);
  const proposed = `${edits.length} proposed ${edits.length === 1 ? "change" : "changes"}`;
  if (marked.length === 0) return `${proposed}, none marked`;
  return `${proposed}, ${marked.length} marked: ${countedChanges(marked.flatMap(({ changes }) => changes))}`;
}

function provenanceOf({ name }: Prompt, { model, usage, calls }: Reply<unknown>): Provenance {
  return { model, prompt: name, usage, calls };
}

/** Each costs a reading of the whole text several times over: of many bad edits the last ones are not tried. */
const triesAtMost = 40;

/** Tries edits together. If that adds errors or loses something, tries halves until the bad edit is found. */
async function choose(
  body: string,
  faultsBefore: readonly string[],
  proposals: readonly ProposedEdit[],
  work: EditWork,
) {
  const edits: TriedEdit[] = [];
  const dropped: DroppedEdit[] = [];
  let markdown = body;
  let faults = faultsBefore;
  const waiting: ProposedEdit[][] = [inOrder(proposals)];
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

/** A text as the model sees it, with its findings. */
export function readText(markdown: string): ReadText {
  const body = formatMarkdown(markdown);
  return { body, blocks: blocksOf(body), findings: findingsIn(body) };
}

export function findingsIn(markdown: string): Finding[] {
  return lint(markdown, options);
}

/** Do proposals leave a text that is better, or at least no worse, and that has lost nothing? */
export function tryEdits({ body, taken, proposals, markdown, faults }: Trial): Tried {
  const blocks = new Map(blocksOf(body).map((block) => [block.id, block.markdown]));
  const known = addressesOf(body);
  const language = languageOf(body);
  const fit: { proposal: ProposedEdit; edit: TriedEdit }[] = [];
  const dropped: DroppedEdit[] = [];
  for (const proposal of proposals) {
    const drop = (reason: DroppedEdit["reason"], lost: string[] = [], changes: Change[] = []) =>
      dropped.push({ edit: proposal, reason, lost, changes });
    const block = blocks.get(proposal.blockId);
    if (block === undefined) {
      drop("no such block");
      continue;
    }
    if (isTaken([...taken, ...fit.map(({ edit }) => edit)], proposal)) {
      drop("edited already");
      continue;
    }
    const words = proposal.op === "delete" ? "" : sanitizedMarkdown(proposal.markdown, known).trim();
    const before = proposal.op === "insertAfter" ? "" : block.trim();
    const lost = lostTokens(before, words, language);
    if (words === before) {
      drop("changes nothing");
      continue;
    }
    const changes = changesBetween(before, words, language);
    if (lost.length > 0) drop("loses what must stay", lost, changes);
    else fit.push({ proposal, edit: { ...proposal, markdown: words, changes } });
  }
  const edits = fit.map(({ edit }) => edit);
  const left = fit.map(({ proposal }) => proposal);
  if (edits.length === 0) return { ok: true, dropped, edits, markdown, faults: [...faults] };
  const next = editBlocks(body, [...taken, ...edits].map(withoutReason));
  if (next === markdown) return { ok: false, dropped, left, reason: "changes nothing", lost: [] };
  // a block may hold what another one needs: the definition of a link
  const lost = lostTokens(markdown, next, language);
  if (lost.length > 0) return { ok: false, dropped, left, reason: "loses what must stay", lost };
  const after = faultKeys(findingsIn(next));
  if (addsAny(faults, after)) return { ok: false, dropped, left, reason: "adds errors", lost: [] };
  return { ok: true, dropped, edits, markdown: next, faults: after };
}

/** Errors by rule and message. A new error that replaces an old one still counts as added. */
function faultKeys(findings: readonly Finding[]): string[] {
  return faultsOf(findings).map(({ rule, message }) => `${rule} ${message}`);
}

function addsAny(before: readonly string[], after: readonly string[]): boolean {
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

/** A block is replaced or deleted once. */
function isTaken(edits: readonly ProposedEdit[], { op, blockId }: ProposedEdit): boolean {
  return op !== "insertAfter" && edits.some((edit) => edit.op !== "insertAfter" && edit.blockId === blockId);
}

function inOrder(edits: readonly ProposedEdit[]): ProposedEdit[] {
  const place = ({ blockId }: ProposedEdit) => Number(blockId.slice(1));
  return [...edits].sort((a, b) => place(a) - place(b));
}
