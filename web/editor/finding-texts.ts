import { catalog } from "#core/language/catalog.ts";
import type { Finding } from "./findings.ts";

/** Said of a finding in the text and in the list beside it. */
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

/** What a fix that only its writer can judge does, by its rule. */
const suggested: Readonly<Record<string, string>> = catalog("editor.suggested", {
  "struct/sections": "Add section",
  "struct/section-order": "Move section",
  "struct/procedure-steps": "Number steps",
  "safety/before-step": "Move warning",
  "step/one-action": "Split step",
  "step/vague": "Replace",
});

/** On the button: a safe fix changes nothing of what the text means, any other is a suggestion. */
export function fixLabel({ rule, fix }: Finding): string {
  return fix?.safe === false ? (suggested[rule] ?? texts.suggested) : texts.fix;
}

/** '2 errors, 10 suggestions', by the severity of the rules; empty without any. @param more of unknown severity */
export function countText(findings: readonly Pick<Finding, "severity">[], more = 0): string {
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
