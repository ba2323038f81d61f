import type { BlockEdit } from "#core/ai/blocks.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";

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
