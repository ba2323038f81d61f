/** Collects the changes proposed for a document, the outcome of each one and its line in the file. */
import type { DroppedEdit, ProposedEdit, TakenEdit } from "#core/ai/improve.ts";
import { numberedBlocksOf, bodyAfterEdits, type BlockEdit } from "#core/ai/blocks.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import type { Finding } from "#core/lint/finding.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import type { AiImprovedText, AiOrigin } from "./choose-ai.ts";
import type { FileInParts } from "./document.ts";

/** Adds the line of the file on which the block begins, counted from 1. */
type WithLine<T> = T & { line: number | null };

export interface Proposals {
  /** The new body. Edits that change a figure, a word of duty or an order are in it only on request. */
  body: string;
  by: AiOrigin | { kind: "rules"; fixed: number };
  summary: string;
  edits: (WithLine<TakenEdit> & { taken: boolean })[];
  dropped: WithLine<DroppedEdit>[];
  /** The findings in the new text. The lines of findings count in the file for rules, and in the body for AI. */
  findings: readonly Omit<Finding, "fix">[];
}

/** @param takesMarked whether edits that change a figure, a word of duty or an order go into the text as well */
export function proposalsOf({ head, body }: FileInParts, answer: AiImprovedText, takesMarked: boolean): Proposals {
  const { by, summary, edits, dropped, findings } = answer;
  const lines = blockLines(body);
  const before = head.split("\n").length - 1;
  const withLine = <T>(one: T, { blockId }: ProposedEdit): WithLine<T> => {
    const line = lines.get(blockId);
    return { ...one, line: line === undefined ? null : line + before };
  };
  const isTaken = ({ changes }: TakenEdit) => takesMarked || changes.length === 0;
  const taken = edits.filter(isTaken);
  return {
    body: taken.length === 0 ? body : applyProposals(body, answer, taken),
    by,
    summary,
    edits: edits.map((edit) => ({ ...withLine(edit, edit), taken: isTaken(edit) })),
    dropped: dropped.map((one) => withLine(one, one.edit)),
    findings: findings.after,
  };
}

function applyProposals(body: string, { base }: AiImprovedText, edits: readonly TakenEdit[]): string {
  const canonical = formatMarkdown(body);
  const isSame = numberedBlocksOf(base).length === numberedBlocksOf(canonical).length;
  const target = bodyAfterEdits(isSame ? canonical : base, edits);
  return editSource(body, edits, target) ?? target;
}

/**
 * Applies edits to a body as its author wrote it. Text outside the edits keeps its bytes, so a diff shows only the
 * edits.
 * @param target the edited body in canonical form.
 * @returns null if the result would read differently
 */
export function editSource(body: string, edits: readonly BlockEdit[], target: string): string | null {
  let text = "";
  let last = 0;
  for (const [index, { position }] of parseMarkdown(body).children.entries()) {
    const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0];
    const gap = text === "" && index > 0 ? "" : body.slice(last, start);
    last = end;
    const own = edits.filter(({ blockId }) => blockId === `b${index + 1}`);
    const instead = own.find(({ op }) => op !== "insertAfter");
    if (instead?.op !== "delete") text += gap + (instead?.markdown.trimEnd() ?? body.slice(start, end));
    for (const { op, markdown } of own) if (op === "insertAfter") text += `\n\n${markdown.trimEnd()}`;
  }
  text += body.slice(last);
  return formatMarkdown(text) === formatMarkdown(target) ? text : null;
}

/** Maps each block of the body to the line on which it begins, counted from 1. */
export function blockLines(body: string): Map<string, number> {
  return new Map(parseMarkdown(body).children.map(({ position }, at) => [`b${at + 1}`, position?.start.line ?? 1]));
}
