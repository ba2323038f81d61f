/** Prints notes about a draft for its author on stderr. */
import type { AiUsage } from "#core/ai/tokens.ts";
import type { Finding } from "#core/lint/finding.ts";
import { printable, type Output } from "../output.ts";

interface DraftNotes {
  assumptions: readonly string[];
  findings: readonly Pick<Finding, "severity">[];
}

export function printDraftNotes(
  out: Output,
  made: { model: string; usage: AiUsage },
  { assumptions, findings }: DraftNotes,
): void {
  const { promptTokens, completionTokens } = made.usage;
  out.note(printable(`By ${made.model} (${promptTokens} + ${completionTokens} tokens): an unchecked draft.`));
  for (const assumption of assumptions) out.note(printable(`  to confirm: ${assumption}`));
  printOpenIssues(out, findings);
}

export function printOpenIssues(out: Output, findings: DraftNotes["findings"]): void {
  const { length: open } = findings.filter(({ severity }) => severity !== "info");
  if (open > 0) out.note(`${open} ${open === 1 ? "issue" : "issues"} left: sop lint shows them.`);
}
