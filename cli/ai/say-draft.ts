/** Notes about a draft for its author: on stderr. */
import type { AiUsage } from "#core/ai/tokens.ts";
import type { Finding } from "#core/lint/finding.ts";
import { printable, type Output } from "../output.ts";

interface Told {
  assumptions: readonly string[];
  findings: readonly Pick<Finding, "severity">[];
}

export function sayDraft(out: Output, made: { model: string; usage: AiUsage }, { assumptions, findings }: Told): void {
  const { promptTokens, completionTokens } = made.usage;
  out.note(printable(`By ${made.model} (${promptTokens} + ${completionTokens} tokens): an unchecked draft.`));
  for (const assumption of assumptions) out.note(printable(`  to confirm: ${assumption}`));
  sayOpen(out, findings);
}

export function sayOpen(out: Output, findings: Told["findings"]): void {
  const { length: open } = findings.filter(({ severity }) => severity !== "info");
  if (open > 0) out.note(`${open} ${open === 1 ? "issue" : "issues"} left: sop lint shows them.`);
}
