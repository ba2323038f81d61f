/** Prints on stderr what happened to each proposed change of a document, with its reason. */
import type { MeaningChange } from "#core/ai/change-kinds.ts";
import { textOfMeaningChange } from "#core/ai/changes.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { printableText } from "../output.ts";
import type { CommandContext } from "../context.ts";
import type { Proposals } from "./proposals.ts";

const findingsAtMost = 20;

interface PrintedOutcome {
  changed: boolean;
  /** True if `--write` could still write the changes. */
  canWrite: boolean;
}

export function printProposals(
  { out }: CommandContext,
  proposals: Proposals,
  { changed, canWrite }: PrintedOutcome,
): void {
  const lines =
    proposals.by.kind === "rules" ? ruleOutcomeLines(proposals, proposals.by.fixed, changed) : aiChangeLines(proposals);
  for (const line of lines) out.note(printableText(line));
  if (changed && canWrite) out.note("Nothing is written. Add --write to write it.");
}

function ruleOutcomeLines({ findings }: Proposals, fixed: number, changed: boolean): string[] {
  const done =
    fixed > 0 ? `${countAndNoun(fixed, "issue")} fixed` : changed ? "Standard format only" : "Nothing to fix";
  const more = findings.length - findingsAtMost;
  return [
    `By rules, without AI: ${done}.`,
    ...findings
      .slice(0, findingsAtMost)
      .map(({ line, severity, rule, message }) => `  line ${line}: ${severity} ${rule}: ${message}`),
    ...(more > 0 ? [`  … and ${more} more: sop lint shows them.`] : []),
  ];
}

function aiChangeLines({ by, summary, edits, dropped, findings }: Proposals): string[] {
  if (by.kind !== "ai") return [];
  const { model, server, usage } = by;
  const through = server === null ? "" : ` through ${server}`;
  const cost = `${usage.promptTokens} + ${usage.completionTokens} tokens`;
  const open = findings.filter(({ severity }) => severity !== "info").length;
  const waiting = edits.filter(({ taken }) => !taken).length;
  return [
    `By ${model}${through} (${cost}): ${edits.length === 0 ? "nothing to change" : `${countAndNoun(edits.length, "unchecked proposed change")}`}.`,
    ...(summary === "" ? [] : [`  ${oneLine(summary)}`]),
    ...edits.flatMap(({ line, why, changes, taken }) => [
      `  ${taken ? "" : "not taken: "}${lineNumberPrefix(line)}${quotedReason(why)}`,
      ...changes.map((change) => `    ${changeLine(change)}`),
    ]),
    ...dropped.flatMap(({ line, edit, reason, lost, changes }) => {
      const what = lost.length > 0 ? `: ${lost.map(oneLine).join(", ")}` : "";
      return [
        `  left out: ${lineNumberPrefix(line)}${reason}${what} ${quotedReason(edit.why)}`.trimEnd(),
        ...changes.map((change) => `    ${changeLine(change)}`),
      ];
    }),
    ...(waiting > 0
      ? [`${countAndNoun(waiting, "marked change")} not taken. Read each one, then add --marked to take them.`]
      : []),
    ...(open > 0 ? [`${countAndNoun(open, "issue")} left: sop lint shows them.`] : []),
  ];
}

function lineNumberPrefix(line: number | null): string {
  return line === null ? "" : `line ${line}: `;
}

function changeLine(change: MeaningChange): string {
  return `changes ${oneLine(textOfMeaningChange(change))}`;
}

/** Puts the reason of a change in quotation marks, because it comes from the model. */
function quotedReason(why: string): string {
  return why === "" ? "" : `“${oneLine(why)}”`;
}

/** Removes line breaks, so that a model's text can't imitate a line of the command's own output. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
