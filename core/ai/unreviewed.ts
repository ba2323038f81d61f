import type { ListItem } from "mdast";
import { toString } from "mdast-util-to-string";
import { findingOf, type Finding } from "#core/lint/finding.ts";
import { sentences } from "#core/language/catalog.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { isAssumptionsTitle } from "./draft-words.ts";

const texts = sentences("core.ai.unreviewed", { unreviewed: "Confirm or correct what the AI assumed: {assumption}" });

/**
 * Finds parts of an AI text that no person has confirmed: each open task under "Assumptions to confirm" gives one
 * `ai/unreviewed` finding, in each language of the program's drafts. A person confirms a task by ticking or removing
 * it. Lines count from the start of the body.
 */
export function unreviewedAssumptionFindings(body: string): Finding[] {
  const open: ListItem[] = [];
  // check every heading of that name, because the model may have written one before the program's own
  let isUnder = false;
  for (const node of parseMarkdown(body).children) {
    if (node.type === "heading") isUnder = isAssumptionsTitle(toString(node));
    else if (isUnder && node.type === "list") open.push(...node.children.filter(({ checked }) => checked === false));
  }
  return open.map(unreviewedTaskFinding);
}

function unreviewedTaskFinding(item: ListItem): Finding {
  const start = item.position?.start ?? { line: 1, column: 1 };
  const end = item.position?.end ?? start;
  const place = { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
  return findingOf("ai/unreviewed", "error", texts.unreviewed({ assumption: toString(item) }), place);
}
