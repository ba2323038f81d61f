import { catalog, sentenceOfMessage, spokenText } from "#core/language/catalog.ts";
import type { CheckFinding } from "./findings.ts";

/** Texts about a finding, both in the text and in the list beside it. */
export const texts = catalog("editor.finding", {
  found: "Issues here",
  severities: { error: "Error", warning: "Warning", info: "Hint" },
  stops: "Fix before publishing",
  fix: "Fix",
  change: "What would change",
  fixed: "Fixed",
  changed: "The text changed. It's checked when you pause typing.",
  next: "Next issue",
  close: "Close",
  suggested: "Apply suggested fix",
  errors: "{errors, plural, one {# error} other {# errors}}",
  others: "{others, plural, one {# suggestion} other {# suggestions}}",
  more: "{more, number} more",
});

/** Labels of the buttons for fixes that only the author can judge, by rule. */
const suggested: Readonly<Record<string, string>> = catalog("editor.suggested", {
  "struct/sections": "Add section",
  "struct/section-order": "Move section",
  "struct/procedure-steps": "Number steps",
  "safety/before-step": "Move warning",
  "step/one-action": "Split step",
  "step/vague": "Replace",
});

/** Returns the label of a fix's button. A safe fix doesn't change the meaning; any other fix is a suggestion. */
export function fixLabel({ rule, fix }: CheckFinding): string {
  return fix?.safe === false ? (suggested[rule] ?? texts.suggested) : texts.fix;
}

/**
 * '2 errors, 10 suggestions', by severity; empty without findings.
 * @param more the number of findings of unknown severity
 */
export function findingCountText(findings: readonly Pick<CheckFinding, "severity">[], more = 0): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const others = findings.length - errors;
  return [
    errors > 0 && texts.errors({ errors }),
    others > 0 && texts.others({ others }),
    more > 0 && texts.more({ more }),
  ]
    .filter(Boolean)
    .join(", ");
}

/** The message of a finding in the reader's language. */
export const findingText = (finding: Pick<CheckFinding, "message" | "reason">): string =>
  spokenText(sentenceOfMessage(finding));
